// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Synchronization
import TokenMessages

/// One thread's connection to the leases in an SQLite file.
final class SQLiteLeaseStore: LeaseStore {
    /// The log is begun anew by the writer when it has this many pages (64 MiB): background checkpoints alone never
    /// let it, while there is work.
    private static let longestLog = 16_384
    /// How long the writer lets readers of other processes keep it from that, in milliseconds.
    private static let restartPatience: Int32 = 20

    let connection: SQLiteConnection
    let shared: SQLiteShared
    let rows: SQLiteRowStatements
    let steps: SQLiteStepStatements
    let register: SQLiteRegisterStatements
    let certificates: SQLiteCertificateStatements
    private let begin: SQLiteStatement
    private let commit: SQLiteStatement
    private let rollback: SQLiteStatement
    private var isFlushing = true
    private var nextRestart = SQLiteLeaseStore.longestLog

    init(path: String, shared: SQLiteShared) throws(StoreError) {
        self.shared = shared
        connection = try SQLiteConnection(path: path)
        // The checkpointer does the automatic checkpoints' work; journal_mode is a property of the file.
        connection.countLogPages()
        try connection.execute("PRAGMA synchronous = FULL; PRAGMA cache_size = -8192")
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        rollback = try connection.prepare("ROLLBACK")
        rows = try SQLiteRowStatements(connection)
        steps = try SQLiteStepStatements(connection)
        register = try SQLiteRegisterStatements(connection)
        certificates = try SQLiteCertificateStatements(connection)
    }

    /// How a transaction ends.
    enum Durability {
        /// On the disk.
        case flushed
        /// In the log, whence it survives the process, and reaches the disk with the next flush.
        case logged
    }

    /// Runs `body` in a transaction that holds the write lock from its beginning.
    func transaction<R>(_ durability: Durability, _ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        try shared.writing.withLock { _ throws(StoreError) in
            if isFlushing != (durability == .flushed) {
                try connection.execute("PRAGMA synchronous = \(durability == .flushed ? "FULL" : "NORMAL")")
                isFlushing = durability == .flushed
            }
            try begin.run()
            let result: R
            do throws(StoreError) {
                result = try body()
                try commit.run()
            } catch {
                // Some errors have rolled back already; then this one fails, and means nothing.
                _ = try? rollback.run()
                throw error
            }
            shared.commits.add(1, ordering: .relaxed)
            restartLongLog()
            return result
        }
    }

    private func restartLongLog() {
        let pages = connection.logPages
        if pages < Self.longestLog {
            nextRestart = Self.longestLog
            return
        }
        guard pages >= nextRestart else { return }
        // While the checkpointer copies, commits go on: what it leaves is little. Only a log that grew much longer
        // meanwhile is waited for.
        if pages < 2 * Self.longestLog {
            if shared.checkpointing.withLockIfAvailable({ _ in restart() }) == nil { return }
        } else {
            shared.checkpointing.withLock { _ in restart() }
        }
        // A reader that stays would make every commit wait: then it is tried again when the log has grown by a half.
        nextRestart = pages + Self.longestLog / 2
    }

    private func restart() {
        connection.wait(milliseconds: Self.restartPatience)
        try? connection.checkpoint(.restart)
        connection.wait(milliseconds: SQLiteConnection.patience)
    }

    var nowMilliseconds: Int64 { shared.clock() / 1000 }
}
