// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

extension LeaseBatch {
    /// A renewal: the next generation of a live row, never with an earlier end.
    mutating func renew(
        _ order: RenewOrder, judge: (Lease) -> Judgement
    ) throws(StoreError) -> LeaseResult {
        let row: LeaseRow
        switch find(order.locator, request: order.request) {
        case .failure(let refusal): return .refused(refusal)
        case .success(let found): row = found
        }
        guard !row.isCancelled else { return .refused(.cancelled) }
        guard row.expiresAt > second else { return .refused(ended(order.locator)) }
        if row.history.find(order.request) == .current { return .repeated(try row.lease()) }
        // A clock that was set, or a worker that came late, must not renew beyond what was ordered.
        if order.isPlanned, row.renewal?.allows(at: second) != true { return .refused(.superseded) }

        // A clock that was set back must not move the lease's issue time back.
        let issuedAt = max(second, row.issuedAt)
        let renewed = RenewalRule(
            renewing: try row.grant.value(), issuedAt: row.issuedAt, at: issuedAt, expire: order.expire
        ).grant
        let expiresAt = renewed.end(issuedAt: issuedAt)
        guard expiresAt > issuedAt else { return .refused(.rejectedByStore("the lease would have no end")) }
        let leads = order.leads ?? row.leads
        let plan = order.isPlanned ? row.renewal?.next : row.renewal
        let schedule = Schedule(
            grant: renewed, issuedAt: issuedAt, leads: leads, renewal: plan,
            opening: order.isPlanned ? [.token, .renewed] : [.renewed])
        let salt = distinct(order.salt, from: row)

        var next = row
        next.generation = generation(after: row)
        next.issuedAt = issuedAt
        next.expiresAt = expiresAt
        next.salt = salt
        next.grant = .grant(renewed)
        next.leads = leads
        next.schedule = schedule
        next.step = 0
        next.dueAt = schedule.dueAt(0, key: row.key)
        next.history.add(order.request)
        if row.tokenKey != nil {
            next.previousTokenKey = row.tokenKey
            next.tokenKey = renewed.tokenKey(issuedAt: issuedAt, salt: salt)
        }
        next.trace = order.trace ?? row.trace
        next.renewal = plan
        switch judge(try next.lease()) {
        case .denied(let error): return .refused(.denied(error))
        case .allowed(let certificate): next.certificate = certificate
        }
        put(next)
        return .granted(try next.lease())
    }

    /// Finds the row that a message means, and says why it may not touch it.
    ///
    /// A repeat of the row's present request is found whatever token or generation it names: these were the
    /// predecessor's. The caller of this has to look at the row's state itself.
    func find(_ locator: LeaseLocator, request: RequestMark) -> Result<LeaseRow, LeaseRefusal> {
        guard let row = row(for: locator.target), locator.anyCaller || row.caller == locator.caller else {
            // The row of a token that has run out may be gone; the token itself says why.
            guard let end = locator.tokenEndsAt, end <= second else { return .failure(.notFound) }
            return .failure(.expired)
        }
        switch row.history.find(request) {
        case .conflict: return .failure(.idempotencyConflict)
        case .current: return .success(row)
        case .earlier: return .failure(row.isCancelled ? .cancelled : .superseded)
        case .new: break
        }
        if row.isCancelled { return .success(row) }
        if let generation = locator.generation, generation != row.generation { return .failure(.superseded) }
        if case .token(_, _, let issuedAt, let salt) = locator.target, !row.hasToken(issuedAt: issuedAt, salt: salt) {
            return .failure(.superseded)
        }
        return .success(row)
    }

    /// How a message hears that its lease is past its end.
    func ended(_ locator: LeaseLocator) -> LeaseRefusal {
        if case .token = locator.target { .expired } else { .notFound }
    }

    private func row(for target: LeaseLocator.Target) -> LeaseRow? {
        switch target {
        case .key(let key): return rows[key]
        case .token(let key, let tokenKey, let issuedAt, let salt):
            let byIdentity = key.flatMap { rows[$0] }
            if let byIdentity, byIdentity.hasToken(issuedAt: issuedAt, salt: salt) { return byIdentity }
            return row(token: tokenKey) ?? byIdentity
        }
    }
}

extension LeaseRow {
    /// Whether a token's issue time and salt are those of this generation.
    func hasToken(issuedAt: UInt32, salt: UInt32) -> Bool {
        self.issuedAt == issuedAt && self.salt == salt
    }
}
