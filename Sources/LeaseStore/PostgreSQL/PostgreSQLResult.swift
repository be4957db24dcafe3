// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CPostgres
import TokenMessages

/// The rows that a statement gave, in the binary format.
///
/// Rows and columns count from 0.
@safe
final class PostgreSQLResult {
    private let result: OpaquePointer

    /// Takes a result over, which it frees.
    @unsafe
    init(_ result: OpaquePointer) { unsafe self.result = result }

    deinit { unsafe PQclear(result) }

    /// The corresponding C function is `PQntuples`.
    var count: Int { Int(unsafe PQntuples(result)) }

    /// The rows that an INSERT, UPDATE or DELETE changed.
    ///
    /// The corresponding C function is `PQcmdTuples`.
    var changed: Int { Int(unsafe String(cString: PQcmdTuples(result))) ?? 0 }

    /// The corresponding C function is `PQgetisnull`.
    func isNull(_ row: Int, _ column: Int32) -> Bool {
        unsafe PQgetisnull(result, Int32(row), column) != 0
    }

    /// A `bigint`, `integer` or `boolean`; 0 for NULL.
    func integer(_ row: Int, _ column: Int32) -> Int64 {
        let bytes = unsafe value(row, column)
        guard bytes.count == 8 else { return unsafe bytes.reduce(0) { $0 << 8 | Int64($1) } }
        return unsafe Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// A `uuid`; `nil` for NULL.
    func key(_ row: Int, _ column: Int32) -> Key? {
        let bytes = unsafe value(row, column)
        guard bytes.count == 16 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<8 {
            unsafe high = high << 8 | UInt64(bytes[index])
            unsafe low = low << 8 | UInt64(bytes[index + 8])
        }
        return Key(high: high, low: low)
    }

    /// A `text`; empty for NULL.
    func text(_ row: Int, _ column: Int32) -> String {
        unsafe String(decoding: value(row, column), as: UTF8.self)
    }

    /// A `text` or `bytea`; empty for NULL.
    func bytes(_ row: Int, _ column: Int32) -> [UInt8] {
        unsafe Array(value(row, column))
    }

    /// The corresponding C functions are `PQgetvalue` and `PQgetlength`.
    private func value(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(
            start: PQgetvalue(result, Int32(row), column), count: Int(PQgetlength(result, Int32(row), column)))
    }
}
