// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// A database of leases, shared by the threads of a worker, each of which opens a store of its own.
package protocol LeaseDatabase: Sendable {
    /// Opens a store for the calling thread.
    ///
    /// - Throws: `StoreError.unavailable` when the database cannot be reached, `.schema` when its tables do not fit.
    func open() throws(StoreError) -> any LeaseStore
}

/// One thread's access to the leases.
///
/// Every call is one transaction, durable when it returns.
///
/// The store's clock is the only one: it decides issue times and what is due.
package protocol LeaseStore: AnyObject {
    /// Carries out operations in order, in one transaction, each with a result in the same place.
    ///
    /// Callers use `commit`, which also finds the operation that the database refuses.
    /// - Parameters:
    ///   - operations: what messages ask for.
    ///   - judge: says what policy thinks of the generation that a renewal makes or that a cancellation ends, given the
    ///     index of the operation; it may be asked more than once.
    /// - Returns: a result for each operation.
    /// - Throws: `StoreError.rejected` when the database refuses a value of some operation, `.unavailable`; nothing
    ///   was stored then, except that a lost connection leaves it unknown: the same operations again are repeats.
    func commitTogether(
        _ operations: ArraySlice<LeaseOperation>, judge: (Int, Lease) -> Judgement
    ) throws(StoreError) -> [LeaseResult]

    /// Finds leases for showing and for judging; `nil` where there is none. Tombstones and ended ones are found too.
    func leases(_ keys: [Key]) throws(StoreError) -> [Lease?]

    /// Takes leases that are due, at most `limit`, and hides them from others for `visibility` seconds.
    func claim(limit: Int, visibility: Double, lane: ClaimLane) throws(StoreError) -> Claim

    /// Marks steps as published. A mark whose lease has moved on changes nothing.
    ///
    /// - Returns: how many marks stood.
    @discardableResult
    func complete(_ marks: [StepMark]) throws(StoreError) -> Int

    /// Gives claimed leases back unpublished, to be due again after `delay` seconds; no attempt is counted.
    func release(_ claimed: [ClaimedLease], delay: Double) throws(StoreError)

    /// Notes that workers sign with certificates at this moment, and forgets those that were long not heard of.
    func note(_ signers: [Signer]) throws(StoreError)

    /// The store's clock, in microseconds since 1970.
    func clock() throws(StoreError) -> Int64

    /// The number of leases by state. Reads an index of the whole table: for people, not for a loop.
    func counts() throws(StoreError) -> LeaseCounts
}

/// How many leases a store holds.
package struct LeaseCounts: Sendable, Hashable {
    /// Leases with steps to come.
    package var live: Int
    /// Tombstones of cancelled ones.
    package var cancelled: Int

    /// Both.
    package var total: Int { live + cancelled }
}
