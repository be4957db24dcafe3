// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

extension LeaseBatch {
    /// A cancellation: the row becomes a tombstone until the token itself has run out.
    mutating func cancel(
        _ order: CancelOrder, judge: (Lease) -> Judgement
    ) throws(StoreError) -> LeaseResult {
        let row: LeaseRow
        switch find(order.locator, request: order.request) {
        case .failure(let refusal): return .refused(refusal)
        case .success(let found): row = found
        }
        if row.isCancelled { return .cancelled(try row.lease(), already: true) }
        guard row.expiresAt > second else { return .refused(ended(order.locator)) }
        if case .denied(let error) = judge(try row.lease()) { return .refused(.denied(error)) }

        let tokenEnd = try row.grant.value().tokenEnd(issuedAt: row.issuedAt)
        var next = row
        next.generation = generation(after: row)
        next.isCancelled = true
        next.schedule = Schedule(cancelledAt: second, until: tokenEnd)
        next.step = 0
        next.dueAt = next.schedule.dueAt(0, key: row.key)
        next.history.add(order.request)
        put(next)
        return .cancelled(try next.lease(), already: false)
    }

    /// The end of a lease whose reply reached nobody.
    mutating func end(_ order: EndOrder) -> LeaseResult {
        guard let row = rows[order.key], row.generation == order.generation else { return .ended(false) }
        remove(order.key)
        return .ended(true)
    }
}
