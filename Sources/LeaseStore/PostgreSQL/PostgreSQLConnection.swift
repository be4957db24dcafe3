// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CPostgres
import Glibc
import Platform

/// A connection to a PostgreSQL server, used by one thread at a time.
@safe
final class PostgreSQLConnection {
    /// How long a server may take to answer a pipeline, in milliseconds: longer is as good as gone.
    static let patience: Int32 = 10_000

    private let handle: OpaquePointer

    /// Connects.
    ///
    /// The corresponding C function is `PQconnectdbParams`.
    /// - Parameter url: a connection URI, or a connection string of keywords and values.
    /// - Throws: `StoreError.unavailable` with the library's words, which hold no password.
    init(url: String) throws(StoreError) {
        guard Self.isValid(url) else { throw .unavailable("PostgreSQL: the connection URL is malformed") }
        // What comes later wins, and `dbname` is expanded where it stands: the URL overrides these.
        let settings: [(String, String)] = [
            ("application_name", "agora-token"), ("connect_timeout", "5"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
            ("dbname", url), ("client_encoding", "UTF8"),
        ]
        let names = CStrings(settings.map(\.0))
        let values = CStrings(settings.map(\.1))
        guard let connection = unsafe PQconnectdbParams(names.pointers, values.pointers, 1) else {
            throw .unavailable("PostgreSQL: out of memory")
        }
        unsafe handle = connection
        guard unsafe PQstatus(handle) == CONNECTION_OK else { throw .unavailable(lastError) }
        unsafe cpostgres_ignore_notices(handle)
    }

    deinit { unsafe PQfinish(handle) }

    /// Whether a text is a connection string at all: the library would repeat parts of a wrong one.
    ///
    /// The corresponding C function is `PQconninfoParse`.
    static func isValid(_ url: String) -> Bool {
        guard let options = unsafe PQconninfoParse(url, nil) else { return false }
        unsafe PQconninfoFree(options)
        return true
    }

    /// Runs SQL text of any number of statements without parameters.
    ///
    /// The corresponding C function is `PQexec`.
    func execute(_ sql: String) throws(PostgreSQLFailure) {
        guard let pointer = unsafe PQexec(handle, sql) else { throw .store(.unavailable(lastError)) }
        let status = unsafe PQresultStatus(pointer)
        if status == PGRES_FATAL_ERROR {
            let failure = unsafe failure(pointer)
            unsafe PQclear(pointer)
            throw failure
        }
        unsafe PQclear(pointer)
    }

    /// Prepares a statement.
    ///
    /// The corresponding C function is `PQprepare`.
    func prepare(_ name: String, _ sql: String) throws(PostgreSQLFailure) {
        guard let pointer = unsafe PQprepare(handle, name, sql, 0, nil) else {
            throw .store(.unavailable(lastError))
        }
        let status = unsafe PQresultStatus(pointer)
        if status != PGRES_COMMAND_OK {
            let failure = unsafe failure(pointer)
            unsafe PQclear(pointer)
            throw failure
        }
        unsafe PQclear(pointer)
    }

    /// A prepared statement with its parameters.
    struct Command {
        let name: String
        var values: [PostgreSQLValue] = []
    }

    /// Runs prepared statements in one round trip.
    ///
    /// Outside of a transaction they are one.
    ///
    /// The corresponding C functions are `PQenterPipelineMode`, `PQsendQueryPrepared` and `PQpipelineSync`.
    /// - Returns: the result of each.
    /// - Throws: the first failure; the statements after it have not been run.
    func run(_ commands: [Command]) throws(PostgreSQLFailure) -> [PostgreSQLResult] {
        guard unsafe PQenterPipelineMode(handle) == 1, unsafe PQsetnonblocking(handle, 1) == 0 else {
            throw .store(.unavailable(lastError))
        }
        for command in commands { try send(command) }
        guard unsafe PQpipelineSync(handle) == 1 else { throw .store(.unavailable(lastError)) }
        let deadline = MonotonicClock.microseconds() + Int64(Self.patience) * 1000
        var results: [PostgreSQLResult] = []
        var failed: PostgreSQLFailure?
        while true {
            try waitForResult(deadline)
            // nil parts the results of one statement from those of the next.
            guard let pointer = unsafe PQgetResult(handle) else {
                guard unsafe PQstatus(handle) == CONNECTION_OK else { throw .store(.unavailable(lastError)) }
                continue
            }
            switch unsafe PQresultStatus(pointer) {
            case PGRES_PIPELINE_SYNC:
                unsafe PQclear(pointer)
                guard unsafe PQexitPipelineMode(handle) == 1 else { throw .store(.unavailable(lastError)) }
                if let failed { throw failed }
                return results
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                results.append(unsafe PostgreSQLResult(pointer))
            case PGRES_PIPELINE_ABORTED:
                unsafe PQclear(pointer)
            default:
                if failed == nil { failed = unsafe failure(pointer) }
                unsafe PQclear(pointer)
                guard unsafe PQstatus(handle) == CONNECTION_OK else { throw failed ?? .store(.unavailable(lastError)) }
            }
        }
    }

    private func send(_ command: Command) throws(PostgreSQLFailure) {
        let count = command.values.count
        let lengths = command.values.map { Int32(clamping: $0.bytes.count) }
        let formats = [Int32](repeating: 1, count: count)
        // One buffer for all, since a pointer into an array is only good within a closure.
        var joined: [UInt8] = []
        joined.reserveCapacity(command.values.reduce(0) { $0 + $1.bytes.count })
        for value in command.values { joined += value.bytes }
        let sent = unsafe joined.withUnsafeBytes { bytes in
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            var offset = 0
            for length in lengths {
                let start = unsafe bytes.baseAddress?.advanced(by: offset)
                unsafe pointers.append(start?.assumingMemoryBound(to: CChar.self))
                offset += Int(length)
            }
            return unsafe PQsendQueryPrepared(handle, command.name, Int32(count), pointers, lengths, formats, 1)
        }
        guard sent == 1 else { throw .store(.unavailable(lastError)) }
    }

    /// Sends what is to be sent, until a result can be taken without waiting for the server for ever.
    private func waitForResult(_ deadline: Int64) throws(PostgreSQLFailure) {
        while true {
            let unsent = unsafe PQflush(handle)
            guard unsent >= 0 else { throw .store(.unavailable(lastError)) }
            if unsent == 0, unsafe PQisBusy(handle) == 0 { return }
            let left = deadline - MonotonicClock.microseconds()
            guard left > 0 else { throw .store(.unavailable("PostgreSQL: no answer for \(Self.patience / 1000) s")) }
            let wanted: PollEvents = unsent == 1 ? [.readable, .writable] : .readable
            PollEvents.wait(for: wanted, of: unsafe PQsocket(handle), atMost: .microseconds(left))
            guard unsafe PQconsumeInput(handle) == 1 else { throw .store(.unavailable(lastError)) }
        }
    }

    private func failure(_ result: OpaquePointer) -> PostgreSQLFailure {
        func field(_ code: Int32) -> String? {
            guard let text = unsafe PQresultErrorField(result, code) else { return nil }
            return unsafe String(cString: text)
        }
        guard let state = field(CPOSTGRES_DIAG_SQLSTATE) else { return .store(.unavailable(lastError)) }
        return PostgreSQLFailure(
            state: state, message: field(CPOSTGRES_DIAG_MESSAGE_PRIMARY) ?? "",
            constraint: field(CPOSTGRES_DIAG_CONSTRAINT_NAME))
    }

    private var lastError: String {
        let text = unsafe String(cString: PQerrorMessage(handle))
        let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }
        return "PostgreSQL: " + lines.joined(separator: "; ")
    }
}

/// C strings in an array that ends with a null pointer.
@safe
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        unsafe pointers = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() { unsafe (pointers + index).initialize(to: strdup(string)) }
        unsafe (pointers + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { unsafe free(UnsafeMutableRawPointer(mutating: pointers[index])) }
        unsafe pointers.deallocate()
    }
}
