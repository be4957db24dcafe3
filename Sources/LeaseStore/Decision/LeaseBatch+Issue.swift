// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

extension LeaseBatch {
    /// A request: a repeat of one that the lease remembers, or a new generation, whatever the row was before.
    mutating func issue(_ order: IssueOrder) throws(StoreError) -> LeaseResult {
        let key = place(of: order)
        let previous = rows[key]
        if let previous {
            switch previous.history.find(order.request) {
            case .conflict: return .refused(.idempotencyConflict)
            case .current where previous.isCancelled, .earlier where previous.isCancelled: return .refused(.cancelled)
            case .current where previous.expiresAt > second: return .repeated(try previous.lease())
            case .earlier where previous.expiresAt > second: return .refused(.superseded)
            case .new, .current, .earlier: break
            }
        }
        let issuedAt = second
        var history = previous?.history ?? RequestHistory()
        history.add(order.request)
        let salt = distinct(order.salt, from: previous)
        let expiresAt = order.grant.end(issuedAt: issuedAt)
        guard expiresAt > issuedAt else { return .refused(.rejectedByStore("the lease would have no end")) }
        let schedule = Schedule(grant: order.grant, issuedAt: issuedAt, leads: order.leads, renewal: order.renewal)
        let row = LeaseRow(
            key: key, generation: generation(after: previous), ownID: order.ownID, caller: order.caller,
            issuedAt: issuedAt, expiresAt: expiresAt, salt: salt, grant: .grant(order.grant), leads: order.leads,
            schedule: schedule, dueAt: schedule.dueAt(0, key: key), history: history,
            tokenKey: order.needsTokenKey ? order.grant.tokenKey(issuedAt: issuedAt, salt: salt) : nil,
            previousTokenKey: previous?.tokenKey, certificate: order.certificate, trace: order.trace,
            renewal: order.renewal)
        put(row)
        return .granted(try row.lease())
    }

    /// The key of the row of a request: the order's, but for one for any user that only looks like an earlier one.
    ///
    /// Requests for any user have a lease each. One without a message id has the key of every equal one, by which it is
    /// known again if it is redelivered; until then it is another request.
    private func place(of order: IssueOrder) -> Key {
        let isShared = order.ownID != nil || !order.grant.scope.isWildcard || order.request.isCompared
        guard !isShared, rows[order.key] != nil else { return order.key }
        let request = Key(high: UInt64(bitPattern: now), low: order.key.low ^ UInt64(order.salt))
        return .wildcardLease(caller: order.caller, request: request)
    }

    /// A salt that differs from the one before, so that two generations of one second have different tokens.
    func distinct(_ salt: UInt32, from previous: LeaseRow?) -> UInt32 {
        guard let previous, previous.salt == salt else { return salt }
        return salt > 1 ? salt - 1 : salt + 1
    }
}
