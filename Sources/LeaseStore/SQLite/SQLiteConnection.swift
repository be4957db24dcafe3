// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CSQLite

/// A connection to an SQLite file, used by one thread at a time.
@safe
final class SQLiteConnection {
    /// How long a call waits for locks of other processes, in milliseconds.
    static let patience: Int32 = 5000

    private let handle: OpaquePointer
    private let log = LogSize()
    private var statements: [SQLiteStatement] = []

    /// Opens a file, making it when it is not there.
    ///
    /// The corresponding C function is `sqlite3_open_v2`.
    /// - Throws: `StoreError.unavailable` with the path.
    init(path: String) throws(StoreError) {
        var opened: OpaquePointer?
        // Each connection has its thread, so SQLite need not lock it.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let connection = unsafe opened else {
            let reason = unsafe String(cString: sqlite3_errstr(code))
            unsafe sqlite3_close_v2(opened)
            throw .unavailable("SQLite: \(path): \(reason)")
        }
        unsafe handle = connection
        unsafe sqlite3_busy_timeout(handle, Self.patience)
    }

    deinit {
        for statement in statements { statement.finalize() }
        unsafe sqlite3_close_v2(handle)
    }

    /// Prepares a statement that lives as long as the connection.
    ///
    /// The corresponding C function is `sqlite3_prepare_v3`.
    func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let pointer = unsafe prepared else { throw error(code) }
        let statement = unsafe SQLiteStatement(pointer, of: handle)
        statements.append(statement)
        return statement
    }

    /// Runs SQL text without parameters or results.
    ///
    /// The corresponding C function is `sqlite3_exec`.
    func execute(_ sql: String) throws(StoreError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// The first column of the first row of a query, as an integer; 0 when there is none.
    func integer(_ sql: String) throws(StoreError) -> Int64 {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
        guard code == SQLITE_OK, let pointer = unsafe prepared else { throw error(code) }
        let statement = unsafe SQLiteStatement(pointer, of: handle)
        defer { statement.finalize() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Whether the file, as far as it was read, can only be read: writing transactions begin even so.
    ///
    /// The corresponding C function is `sqlite3_db_readonly`.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

    /// How long a call waits for other connections' locks.
    ///
    /// The corresponding C function is `sqlite3_busy_timeout`.
    func wait(milliseconds: Int32) {
        unsafe sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Counts the pages in the log from now on, and ends automatic checkpoints.
    ///
    /// The corresponding C function is `sqlite3_wal_hook`.
    func countLogPages() {
        let context = unsafe Unmanaged.passUnretained(log).toOpaque()
        unsafe sqlite3_wal_hook(
            handle,
            { @Sendable context, _, _, pages in
                if let context = unsafe context {
                    unsafe Unmanaged<LogSize>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
                }
                return SQLITE_OK
            }, context)
    }

    /// The pages in the log after this connection's last commit, once they are counted.
    var logPages: Int { log.pages }

    private final class LogSize {
        var pages = 0
    }

    /// How a checkpoint copies the log into the database.
    enum CheckpointMode {
        /// As far as it can without waiting for anybody.
        case passive
        /// Wholly, so that the next writer begins the log anew.
        case restart
    }

    /// Copies the log into the database.
    ///
    /// The corresponding C function is `sqlite3_wal_checkpoint_v2`.
    ///
    /// That others keep it from being copied wholly is no error.
    func checkpoint(_ mode: CheckpointMode) throws(StoreError) {
        let flag =
            switch mode {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restart: SQLITE_CHECKPOINT_RESTART
            }
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, flag, nil, nil)
        guard code == SQLITE_OK || code == SQLITE_BUSY else { throw error(code) }
    }

    private func error(_ code: Int32) -> StoreError {
        StoreError(sqlite: code, message: unsafe String(cString: sqlite3_errmsg(handle)))
    }
}
