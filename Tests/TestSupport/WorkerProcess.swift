// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc

/// An `agora-token worker` that a test runs against a virtual host, with a database of its own.
package final class WorkerProcess: Sendable {
    /// The project that the tests sign for: the example that Agora's own samples use.
    package static let appID = "970CA35de60c44645bbae8a215061b33"
    package static let certificate = "5CFd2fd1755d40ecb72977518be15d3b"

    private let child: ChildProcess

    /// Starts a worker on an AMQP URL and a `--store` value, such as ``newDatabase()``, with further arguments
    /// and variables; an empty value removes a variable.
    package init(
        url: String, database: String, arguments: [String] = [], environment: [String: String] = [:]
    ) throws {
        let variables = [
            "AGORA_APP_ID": Self.appID, "AGORA_APP_CERTIFICATE": Self.certificate, "AMQP_URL": url,
            "DATABASE_URL": database,
        ]
        child = try ChildProcess(
            TestEnvironment.binary, ["worker"] + arguments, environment: variables.merging(environment) { $1 })
    }

    /// A `--store` value for a SQLite file that does not exist yet.
    package static func newDatabase() -> String {
        "sqlite:\(TestEnvironment.scratch)/\(TestEnvironment.uniqueName("leases")).sqlite"
    }

    /// Declares the queues and exchanges of the contract.
    package static func applyTopology(url: String) async throws {
        try await ChildProcess.run(TestEnvironment.binary, ["topology", "apply"], environment: ["AMQP_URL": url])
    }

    package var processID: Int32 { child.processID }

    /// How it ended; nil while it runs.
    package var exit: ChildProcess.Exit? { child.poll() }

    /// Sends a signal.
    package func signal(_ number: Int32) { child.signal(number) }

    /// Kills it as a crash would, and waits until it is gone.
    package func kill() async throws { try await child.kill() }

    /// Asks it to stop by SIGTERM, and waits for its end.
    @discardableResult
    package func stop(within limit: Duration = .seconds(35)) async throws -> ChildProcess.Exit {
        child.signal(SIGTERM)
        return try await child.wait(within: limit)
    }

    /// Waits for its end.
    @discardableResult
    package func wait(within limit: Duration) async throws -> ChildProcess.Exit {
        try await child.wait(within: limit)
    }

    /// Its log: standard output and standard error.
    package var log: String { child.output + child.errorText }

    /// Resident memory in bytes; nil when it has ended.
    package var residentBytes: Int? { child.residentBytes }
}
