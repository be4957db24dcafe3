// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore
internal import Synchronization

/// A PostgreSQL database that may be away when the worker starts.
///
/// Tables that do not fit stop the start; a server that cannot be reached does not, since it may come back any moment,
/// and until then the worker waits as it does when the server goes later.
final class LateDatabase: LeaseDatabase {
    private let url: String
    private let database: Mutex<PostgreSQLDatabase?>

    /// Connects, if it can.
    ///
    /// - Throws: `StoreError.schema` when the tables do not fit.
    init(url: String) throws(StoreError) {
        self.url = url
        do throws(StoreError) {
            database = Mutex(try PostgreSQLDatabase(url: url))
        } catch .unavailable {
            database = Mutex(nil)
        }
    }

    func open() throws(StoreError) -> any LeaseStore {
        if let known = database.withLock({ $0 }) { return try known.open() }
        let found = try PostgreSQLDatabase(url: url)
        database.withLock { $0 = found }
        return try found.open()
    }
}
