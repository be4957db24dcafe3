// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
internal import Glibc
package import LeaseStore
package import TokenMessages

/// The leases of a store as operators see and end them, beside the workers or without any.
package final class LeaseRegister {
    /// How many rows are read at a time.
    private static let pageSize = 500

    private let store: any LeaseListing

    /// Opens a store that is there; none is made.
    ///
    /// - Parameters:
    ///   - location: where it is.
    ///   - origin: the setting that says so, for complaints.
    /// - Throws: ``ConfigurationError`` when there is no such store, or its tables do not fit; `StoreError.unavailable`
    ///   when it cannot be reached.
    package init(_ location: StoreLocation, origin: String? = nil) throws {
        let setting = origin ?? Setting.store.variable
        do {
            switch location {
            case .none: throw ConfigurationError(setting, "is none: there are no leases")
            case .sqlite(let path):
                guard unsafe access(path, R_OK | W_OK) == 0 else {
                    throw ConfigurationError(setting, "\(location): there is no such file, or it may not be changed")
                }
                store = try SQLiteDatabase(path: path).openListing()
            case .postgreSQL(let url): store = try PostgreSQLDatabase(url: url).openListing()
            }
        } catch let error as StoreError {
            if case .unavailable = error { throw error }
            throw ConfigurationError(setting, "\(location): \(error)")
        }
    }

    /// Which leases are listed.
    package struct Selection: Sendable {
        /// Only those of this caller.
        package var caller: Caller?
        /// Tombstones as well.
        package var includesCancelled = false
        /// Only those after this key.
        package var after: Key?

        /// All that were not cancelled.
        package init() {}
    }

    /// Lists leases in the order of their keys, at most `limit`.
    ///
    /// - Returns: the leases, and the key after which there may be more, `nil` after the last one.
    package func list(_ selection: Selection, limit: Int) throws(StoreError) -> (records: [LeaseRecord], more: Key?) {
        var found: [LeaseRecord] = []
        var last = selection.after
        while true {
            let page = try store.page(after: last, limit: Self.pageSize)
            guard let end = page.last else { return (found, nil) }
            for record in page.records {
                let isWanted =
                    (selection.caller == nil || record.lease.caller == selection.caller)
                    && (selection.includesCancelled || !record.lease.isCancelled)
                guard isWanted else { continue }
                if found.count == limit { return (found, found.last?.lease.key) }
                found.append(record)
            }
            last = end
        }
    }

    /// Finds a lease by its id; one that its caller named is only found for that caller.
    package func find(_ id: String, caller: Caller) throws(StoreError) -> LeaseRecord? {
        guard let key = LeaseID.key(id, caller: caller), let before = Self.before(key) else { return nil }
        let record = try store.page(after: before, limit: 1).records.first
        return record?.lease.key == key ? record : nil
    }

    /// Cancels a lease, whosever it is.
    ///
    /// - Returns: its tombstone, and whether it was one before; `nil` where there is no such lease, or it has ended.
    package func cancel(_ id: String, caller: Caller) throws(StoreError) -> (lease: Lease, already: Bool)? {
        guard let key = LeaseID.key(id, caller: caller) else { return nil }
        let seed = (0..<4).map { _ in SystemSource.randomUInt32() }
        let request = Key(high: UInt64(seed[0]) << 32 | UInt64(seed[1]), low: UInt64(seed[2]) << 32 | UInt64(seed[3]))
        let order = CancelOrder(
            locator: LeaseLocator(target: .key(key), caller: caller, anyCaller: true),
            request: RequestMark(id: request, body: request, isCompared: false))
        guard case .cancelled(let lease, let already)? = try store.commit([.cancel(order)]).first else { return nil }
        return (lease, already)
    }

    /// How many leases end in each of the coming minutes.
    package func forecast(minutes: Int) throws(StoreError) -> Forecast { try store.forecast(minutes: minutes) }

    /// What rests on each certificate.
    package func certificateUse() throws(StoreError) -> CertificateUse { try store.certificateUse() }

    /// The greatest key before another.
    private static func before(_ key: Key) -> Key? {
        if key.low > 0 { return Key(high: key.high, low: key.low - 1) }
        return key.high > 0 ? Key(high: key.high - 1, low: .max) : nil
    }
}
