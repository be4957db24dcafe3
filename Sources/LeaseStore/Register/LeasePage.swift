// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// A lease and how far its schedule has come.
package struct LeaseRecord: Sendable, Hashable {
    /// The lease.
    package var lease: Lease
    /// The index of the step that comes next.
    package var step: Int
    /// When that is due, in milliseconds since 1970, jitter included.
    package var dueAt: Int64

    /// The step that comes next; `nil` for a row that says none.
    package var next: Step? {
        lease.schedule.steps.indices.contains(step) ? lease.schedule.steps[step] : nil
    }
}

/// Some of the leases, in the order of their keys.
package struct LeasePage: Sendable {
    /// Those that can be read.
    package var records: [LeaseRecord] = []
    /// The key of the last row; `nil` when there was none, so that all have been seen.
    package var last: Key?
    /// How many rows this program cannot read.
    package var unreadable = 0

    /// Enters a row, or one that cannot be read.
    mutating func enter(_ row: LeaseRow?, key: Key?) {
        last = key ?? last
        guard let row, let lease = try? row.lease() else {
            unreadable += 1
            return
        }
        records.append(LeaseRecord(lease: lease, step: row.step, dueAt: row.dueAt))
    }
}

/// How many leases are going to end, by minutes.
package struct Forecast: Sendable, Hashable {
    /// One minute.
    package struct Minute: Sendable, Hashable {
        /// When it begins, in seconds since 1970.
        package var start: Int64
        /// How many leases end in it unless they are renewed.
        package var expiries: Int
    }

    /// The store's clock in seconds since 1970.
    package var now: Int64
    /// The minutes in which leases end, in order; the others are left out.
    package var minutes: [Minute] = []

    /// All of them.
    package var total: Int { minutes.reduce(0) { $0 + $1.expiries } }
}
