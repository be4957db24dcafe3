// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform
import Synchronization

/// The leases in an SQLite file: for one worker on one machine.
///
/// The file must lie on a local disk. Every commit of leases is on the disk when it returns; claims and marks may be
/// lost with the machine's power, which costs a second notice with the same id.
package final class SQLiteDatabase: LeaseDatabase {
    private let path: String
    private let shared: SQLiteShared
    private let checkpointer: SQLiteCheckpointer

    /// Opens the file, or makes it.
    ///
    /// - Parameters:
    ///   - path: the file; its folder must exist.
    ///   - clock: the time in microseconds since 1970; the machine's by default.
    /// - Throws: `StoreError.unavailable` when the file cannot be opened or written, `.schema` when its tables do not fit.
    package init(path: String, clock: @escaping @Sendable () -> Int64 = WallClock.microseconds) throws(StoreError) {
        self.path = path
        let connection = try SQLiteConnection(path: path)
        try connection.execute("PRAGMA journal_mode = WAL")
        try SQLiteSchema.prepare(connection)
        shared = SQLiteShared(clock: clock)
        // A file that cannot be written, or holds other tables, shows here and not with the first request.
        guard !connection.isReadOnly else { throw .unavailable("SQLite: \(path): the file cannot be written") }
        _ = try SQLiteLeaseStore(path: path, shared: shared)
        checkpointer = SQLiteCheckpointer(path: path, shared: shared)
    }

    deinit { checkpointer.stop() }

    /// The version of a file's tables, 0 for none, and the one that this program makes them; changes nothing.
    ///
    /// - Throws: `StoreError.unavailable` when the file cannot be read.
    package static func schemaVersion(at path: String) throws(StoreError) -> (found: Int, expected: Int) {
        (Int(try SQLiteConnection(path: path).integer("PRAGMA user_version")), SQLiteSchema.version)
    }

    package func open() throws(StoreError) -> any LeaseStore { try openListing() }

    /// Opens a store that people may look into, for the calling thread.
    ///
    /// - Throws: `StoreError.unavailable` when the file cannot be opened.
    package func openListing() throws(StoreError) -> any LeaseListing {
        try SQLiteLeaseStore(path: path, shared: shared)
    }
}

/// What the connections of one process to one file share.
final class SQLiteShared: Sendable {
    /// The time in microseconds since 1970.
    let clock: @Sendable () -> Int64
    /// Held by the writing connection: SQLite's own waiting is by polling, and unfair.
    let writing = Mutex<Void>(())
    /// Counts commits, so that an idle file is left alone.
    let commits = Atomic<Int>(0)
    /// Held by whoever copies the log into the database.
    let checkpointing = Mutex<Void>(())

    init(clock: @escaping @Sendable () -> Int64) { self.clock = clock }
}
