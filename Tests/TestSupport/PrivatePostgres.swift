// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation

/// A PostgreSQL of its own, for tests that kill or stop it.
///
/// It is removed with the test process at the latest, however that ends.
package final class PrivatePostgres: Sendable {
    private let name: String
    private let script = TestEnvironment.root + "/deploy/postgres"
    /// The URL of its database.
    package let url: String

    /// Starts a server, and waits until it accepts connections.
    package init() async throws {
        name = TestEnvironment.uniqueName("postgres")
        let owner = ["AGORA_POSTGRES_OWNER": String(ProcessInfo.processInfo.processIdentifier)]
        try await ChildProcess.run(script, ["start", name], environment: owner, within: .seconds(120))
        url = try await ChildProcess.run(script, ["url", name]).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Makes the tables.
    package func migrate() async throws {
        try await ChildProcess.run(
            TestEnvironment.binary, ["store", "migrate"], environment: ["DATABASE_URL": url])
    }

    /// Kills it as a crash would, and returns when the process is gone.
    package func kill() async throws { try await control("kill") }

    /// Stops it in order.
    package func stop() async throws { try await control("stop") }

    /// Starts it again on the same port with the same data, and returns when it accepts connections.
    package func start() async throws {
        // The killed server's children may hold on to its memory for a moment, and then it cannot start.
        try await eventually(within: .seconds(60), "PostgreSQL started again") {
            try await control("start")
            return true
        }
    }

    /// Kills it and deletes its data.
    package func remove() async throws { try await control("remove") }

    private func control(_ command: String) async throws {
        try await ChildProcess.run(script, [command, name], within: .seconds(120))
    }
}
