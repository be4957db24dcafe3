// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import LeaseStore
import TokenMessages

/// A database whose stores do something else than they should, in one respect.
package struct WrappedDatabase: LeaseDatabase {
    /// Runs after a claim, before anybody hears of it.
    package typealias AfterClaim = @Sendable (any LeaseStore, Claim) throws(StoreError) -> Void
    /// Gives the marks that are written instead of others.
    package typealias Marks = @Sendable (any LeaseStore, [StepMark]) throws(StoreError) -> [StepMark]

    private let database: any LeaseDatabase
    private let afterClaim: AfterClaim
    private let marks: Marks
    private let isAway: @Sendable () -> Bool

    /// Wraps a database.
    package init(
        database: any LeaseDatabase, afterClaim: @escaping AfterClaim = { _, _ throws(StoreError) in },
        marks: @escaping Marks = { _, marks throws(StoreError) in marks },
        isAway: @escaping @Sendable () -> Bool = { false }
    ) {
        self.database = database
        self.afterClaim = afterClaim
        self.marks = marks
        self.isAway = isAway
    }

    package func open() throws(StoreError) -> any LeaseStore { WrappedStore(try database.open(), self) }

    /// Marks steps when they are claimed, as if publishing could not fail.
    package static func markingFirst(_ database: any LeaseDatabase) -> any LeaseDatabase {
        WrappedDatabase(
            database: database,
            afterClaim: { store, claim throws(StoreError) in
                let marks = claim.leases.map { claimed in
                    let latest = claimed.lease.schedule.latestDue(
                        from: claimed.step, now: claim.now, key: claimed.lease.key)
                    return StepMark(claimed, published: latest)
                }
                try store.complete(marks)
            })
    }

    /// Marks whatever generation the lease has by now.
    package static func withoutFence(_ database: any LeaseDatabase) -> any LeaseDatabase {
        WrappedDatabase(
            database: database,
            marks: { store, marks throws(StoreError) in
                let leases = try store.leases(marks.map(\.key))
                return zip(marks, leases).map { mark, lease in
                    var mark = mark
                    mark.generation = lease?.generation ?? mark.generation
                    return mark
                }
            })
    }

    private final class WrappedStore: LeaseStore {
        private let store: any LeaseStore
        private let wrapping: WrappedDatabase

        init(_ store: any LeaseStore, _ wrapping: WrappedDatabase) {
            self.store = store
            self.wrapping = wrapping
        }

        private func check() throws(StoreError) {
            if wrapping.isAway() { throw .unavailable("away") }
        }

        func commitTogether(
            _ operations: ArraySlice<LeaseOperation>, judge: (Int, Lease) -> Judgement
        ) throws(StoreError) -> [LeaseResult] {
            try store.commitTogether(operations, judge: judge)
        }

        func leases(_ keys: [Key]) throws(StoreError) -> [Lease?] { try store.leases(keys) }

        func claim(limit: Int, visibility: Double, lane: ClaimLane) throws(StoreError) -> Claim {
            try check()
            let claim = try store.claim(limit: limit, visibility: visibility, lane: lane)
            try wrapping.afterClaim(store, claim)
            return claim
        }

        func complete(_ marks: [StepMark]) throws(StoreError) -> Int {
            try check()
            return try store.complete(try wrapping.marks(store, marks))
        }

        func release(_ claimed: [ClaimedLease], delay: Double) throws(StoreError) {
            try check()
            try store.release(claimed, delay: delay)
        }

        func note(_ signers: [Signer]) throws(StoreError) { try store.note(signers) }

        func clock() throws(StoreError) -> Int64 { try store.clock() }

        func counts() throws(StoreError) -> LeaseCounts { try store.counts() }
    }
}
