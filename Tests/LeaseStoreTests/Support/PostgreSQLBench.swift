// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Synchronization

@testable import LeaseStore

/// A schema of its own in the test server, with a table for a clock.
///
/// It goes with the server.
final class PostgreSQLBench: Sendable {
    /// The time as the stores of a bench read it.
    static let clock = "(SELECT microseconds FROM clock)"

    /// The URL under which the schema is the first.
    let url: String
    private let name: String
    private let connection: Mutex<PostgreSQLConnection>

    init(server: String) throws {
        name = "leases_" + UUID().uuidString.lowercased().replacing("-", with: "")
        url = server + "?options=-csearch_path%3D\(name)"
        connection = Mutex(try PostgreSQLConnection(url: url))
        try execute("CREATE SCHEMA \(name); CREATE TABLE clock (microseconds bigint); INSERT INTO clock VALUES (0)")
        _ = try PostgreSQLDatabase.migrate(url: url)
    }

    func execute(_ sql: String) throws {
        try connection.withLock { connection in try connection.execute(sql) }
    }

    func setClock(_ microseconds: Int64) {
        try? execute("UPDATE clock SET microseconds = \(microseconds)")
    }
}
