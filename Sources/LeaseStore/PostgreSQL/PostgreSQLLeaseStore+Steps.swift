// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

extension PostgreSQLLeaseStore {
    func claim(limit: Int, visibility: Double, lane: ClaimLane) throws(StoreError) -> Claim {
        let boundary = ClaimLane.boundary
        // Bounds in milliseconds before now; the store begins with the epoch, whatever the lane.
        let bounds: (from: Int64, to: Int64) = lane == .fresh ? (boundary, 0) : (1 << 52, boundary)
        let values = [Int64(limit), Int64(visibility * 1000), bounds.from, bounds.to].map { PostgreSQLValue($0) }
        let (claimed, next) = try attempt { connection throws(PostgreSQLFailure) in
            let results = try connection.run([
                .init(name: "begin"), .init(name: "lazily"), .init(name: "claim", values: values),
                .init(name: "next"), .init(name: "commit"),
            ])
            return (results[2], results[3])
        }
        var leases: [ClaimedLease] = []
        leases.reserveCapacity(claimed.count)
        let extra = PostgreSQLStatements.columnCount
        for index in 0..<claimed.count {
            guard let row = try? Self.row(claimed, index), let lease = try? row.lease() else { continue }
            leases.append(
                ClaimedLease(
                    lease: lease, step: row.step, dueAt: row.dueAt,
                    claimedUntil: claimed.integer(index, extra + 1), attempt: Int(claimed.integer(index, extra))))
        }
        leases.sort { $0.dueAt < $1.dueAt }
        return Claim(
            leases: leases, now: claimed.count == 0 ? next.integer(0, 0) : claimed.integer(0, extra + 2),
            next: next.isNull(0, 1) ? nil : next.integer(0, 1), unreadable: claimed.count - leases.count)
    }

    func complete(_ marks: [StepMark]) throws(StoreError) -> Int {
        guard !marks.isEmpty else { return 0 }
        let ended = marks.filter { $0.next == nil }
        let going = marks.filter { $0.next != nil && $0.schedule == nil }
        let postponed = marks.filter { $0.next != nil && $0.schedule != nil }
        var changes: [PostgreSQLConnection.Command] = []
        if !going.isEmpty { changes.append(.init(name: "advance", values: Self.fence(going) + Self.next(going))) }
        if !postponed.isEmpty {
            let steps = PostgreSQLValue(postponed.map { $0.schedule?.text })
            changes.append(.init(name: "postpone", values: Self.fence(postponed) + Self.next(postponed) + [steps]))
        }
        if !ended.isEmpty { changes.append(.init(name: "finish", values: Self.fence(ended))) }
        return try change(marks.map(\.key), changes)
    }

    func release(_ claimed: [ClaimedLease], delay: Double) throws(StoreError) {
        guard !claimed.isEmpty else { return }
        let values = [
            PostgreSQLValue(claimed.map { Optional($0.lease.key) }),
            PostgreSQLValue(claimed.map(\.lease.generation)),
            PostgreSQLValue(claimed.map { Int64($0.step) }),
            PostgreSQLValue(claimed.map(\.claimedUntil)),
            PostgreSQLValue(Int64(delay * 1000)),
        ]
        _ = try change(claimed.map(\.lease.key), [.init(name: "release", values: values)])
    }

    /// Changes rows after locking them in the order of their keys; gives the number that was changed.
    private func change(_ keys: [Key], _ changes: [PostgreSQLConnection.Command]) throws(StoreError) -> Int {
        let keys = PostgreSQLValue(keys.map(Optional.some))
        return try attempt { connection throws(PostgreSQLFailure) in
            let results = try connection.run(
                [.init(name: "begin"), .init(name: "lazily"), .init(name: "lock_steps", values: [keys])] + changes
                    + [.init(name: "commit")])
            return results[3..<results.count - 1].reduce(0) { $0 + $1.changed }
        }
    }

    /// The columns that fence a mark.
    private static func fence(_ marks: [StepMark]) -> [PostgreSQLValue] {
        [
            PostgreSQLValue(marks.map { Optional($0.key) }), PostgreSQLValue(marks.map(\.generation)),
            PostgreSQLValue(marks.map { Int64($0.step) }),
        ]
    }

    /// The columns that say what comes next.
    private static func next(_ marks: [StepMark]) -> [PostgreSQLValue] {
        [
            PostgreSQLValue(marks.map { Int64($0.next?.step ?? 0) }),
            PostgreSQLValue(marks.map { $0.next?.dueAt ?? 0 }),
        ]
    }

    func clock() throws(StoreError) -> Int64 {
        try attempt { connection throws(PostgreSQLFailure) in
            try connection.run([.init(name: "clock")])[0].integer(0, 0)
        }
    }

    func counts() throws(StoreError) -> LeaseCounts {
        let row = try attempt { connection throws(PostgreSQLFailure) in
            try connection.run([.init(name: "counts")])[0]
        }
        return LeaseCounts(live: Int(row.integer(0, 0) - row.integer(0, 1)), cancelled: Int(row.integer(0, 1)))
    }
}
