// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The leases in a PostgreSQL database: for any number of workers.
///
/// The server's clock is the only one. A pooler in front of it has to keep prepared statements, as PgBouncer does from
/// version 1.21 on.
package final class PostgreSQLDatabase: LeaseDatabase {
    private let url: String
    private let clock: String

    /// The time as the server says it, in microseconds since 1970.
    package static let serverClock = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

    /// Connects, and checks the tables.
    ///
    /// - Parameters:
    ///   - url: a connection URI.
    ///   - clock: an SQL expression for the time in microseconds since 1970; the server's own by default.
    /// - Throws: `StoreError.unavailable` when the server cannot be reached, `.schema` when the tables do not fit.
    package init(url: String, clock: String = PostgreSQLDatabase.serverClock) throws(StoreError) {
        self.url = url
        self.clock = clock
        try PostgreSQLSchema.check(try PostgreSQLConnection(url: url))
    }

    package func open() throws(StoreError) -> any LeaseStore { try openListing() }

    /// Opens a store that people may look into, for the calling thread.
    ///
    /// - Throws: `StoreError.unavailable` when the server cannot be reached, `.schema` when the tables do not fit.
    package func openListing() throws(StoreError) -> any LeaseListing {
        let store = PostgreSQLLeaseStore(url: url, clock: clock)
        try store.connect()
        return store
    }

    /// Makes the tables, or brings them to this program's version, while workers go on.
    ///
    /// - Parameter url: a connection URI.
    /// - Returns: the version that was found, 0 for none, and the one that is there now.
    /// - Throws: `StoreError.unavailable` when the server cannot be reached or may not change its tables.
    package static func migrate(url: String) throws(StoreError) -> (from: Int, to: Int) {
        let connection = try PostgreSQLConnection(url: url)
        do throws(PostgreSQLFailure) {
            return (try PostgreSQLSchema.migrate(connection), PostgreSQLSchema.version)
        } catch {
            throw error.storeError
        }
    }
}
