// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CSQLite
import TokenMessages

/// A prepared statement.
///
/// Parameters count from 1, columns from 0, as in C.
@safe
final class SQLiteStatement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer

    /// Wraps a statement of a connection, which finalizes it.
    @unsafe
    init(_ statement: OpaquePointer, of connection: OpaquePointer) {
        unsafe self.statement = statement
        unsafe self.connection = connection
    }

    /// Frees it.
    ///
    /// The corresponding C function is `sqlite3_finalize`.
    func finalize() {
        unsafe sqlite3_finalize(statement)
    }

    // MARK: Parameters

    /// The corresponding C function is `sqlite3_bind_int64`.
    func bind(_ index: Int32, _ value: Int64) throws(StoreError) {
        try check(unsafe sqlite3_bind_int64(statement, index, value))
    }

    /// The corresponding C function is `sqlite3_bind_int64`, or `sqlite3_bind_null`.
    func bind(_ index: Int32, _ value: Int64?) throws(StoreError) {
        guard let value else { return try bindNull(index) }
        try bind(index, value)
    }

    /// The corresponding C function is `sqlite3_bind_text`.
    func bind(_ index: Int32, _ text: String) throws(StoreError) {
        var text = text
        let code = text.withUTF8 { utf8 in
            unsafe utf8.withMemoryRebound(to: CChar.self) { bytes in
                unsafe csqlite_bind_text(statement, index, bytes.baseAddress, Int32(clamping: bytes.count))
            }
        }
        try check(code)
    }

    /// The corresponding C function is `sqlite3_bind_text`, or `sqlite3_bind_null`.
    func bind(_ index: Int32, _ text: String?) throws(StoreError) {
        guard let text else { return try bindNull(index) }
        try bind(index, text)
    }

    /// Binds UTF-8 text.
    ///
    /// The corresponding C function is `sqlite3_bind_text`.
    func bind(_ index: Int32, utf8 text: [UInt8]) throws(StoreError) {
        let code = unsafe text.withUnsafeBytes { bytes in
            let characters = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
            return unsafe csqlite_bind_text(statement, index, characters, Int32(clamping: bytes.count))
        }
        try check(code)
    }

    /// The corresponding C function is `sqlite3_bind_blob`.
    func bind(_ index: Int32, blob: [UInt8]) throws(StoreError) {
        let code = unsafe blob.withUnsafeBytes { bytes in
            unsafe csqlite_bind_blob(statement, index, bytes.baseAddress, Int32(clamping: bytes.count))
        }
        try check(code)
    }

    /// Binds sixteen bytes.
    ///
    /// The corresponding C function is `sqlite3_bind_blob`.
    func bind(_ index: Int32, key: Key) throws(StoreError) {
        let words = (key.high.bigEndian, key.low.bigEndian)
        let code = unsafe withUnsafeBytes(of: words) { bytes in
            unsafe csqlite_bind_blob(statement, index, bytes.baseAddress, Int32(clamping: bytes.count))
        }
        try check(code)
    }

    /// Binds sixteen bytes or null.
    func bind(_ index: Int32, key: Key?) throws(StoreError) {
        guard let key else { return try bindNull(index) }
        try bind(index, key: key)
    }

    /// The corresponding C function is `sqlite3_bind_null`.
    func bindNull(_ index: Int32) throws(StoreError) {
        try check(unsafe sqlite3_bind_null(statement, index))
    }

    // MARK: Running

    /// Goes on to the next row; false when there is none.
    ///
    /// The corresponding C function is `sqlite3_step`.
    func step() throws(StoreError) -> Bool {
        let code = unsafe sqlite3_step(statement)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = StoreError(sqlite: code, message: unsafe String(cString: sqlite3_errmsg(connection)))
            reset()
            throw error
        }
    }

    /// Runs a statement that has no rows, and makes it ready for the next time.
    ///
    /// - Returns: the number of rows that it changed.
    @discardableResult
    func run() throws(StoreError) -> Int {
        _ = try step()
        reset()
        return Int(unsafe sqlite3_changes(connection))
    }

    /// Makes it ready for the next time.
    ///
    /// The corresponding C function is `sqlite3_reset`.
    func reset() {
        unsafe sqlite3_reset(statement)
    }

    // MARK: Columns

    /// The corresponding C function is `sqlite3_column_type`.
    func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    /// The corresponding C function is `sqlite3_column_int64`.
    func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(statement, column)
    }

    /// Text as UTF-8, or a blob.
    ///
    /// The corresponding C function is `sqlite3_column_blob`.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The corresponding C function is `sqlite3_column_text`.
    func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(statement, column) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private func check(_ code: Int32) throws(StoreError) {
        guard code != SQLITE_OK else { return }
        throw StoreError(sqlite: code, message: unsafe String(cString: sqlite3_errmsg(connection)))
    }
}
