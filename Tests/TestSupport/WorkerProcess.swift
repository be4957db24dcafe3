// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import FoundationNetworking
import Glibc

/// An `agora-token worker` that a test runs against a virtual host, with a database of its own.
package final class WorkerProcess: Sendable {
    /// The project that the tests sign for: the example that Agora's own samples use.
    package static let appID = "970CA35de60c44645bbae8a215061b33"
    package static let certificate = "5CFd2fd1755d40ecb72977518be15d3b"

    private let child: ChildProcess

    /// Starts a worker on an AMQP URL and a `--store` value, such as ``newDatabase()``, with further arguments
    /// and variables; an empty value removes a variable.
    ///
    /// `binary` is another program than the one under test, `launcher` one that becomes it.
    package init(
        url: String, database: String, arguments: [String] = [], environment: [String: String] = [:],
        binary: String = TestEnvironment.binary, launcher: String? = nil
    ) throws {
        let variables = [
            "AGORA_APP_ID": Self.appID, "AGORA_APP_CERTIFICATE": Self.certificate, "AMQP_URL": url,
            "DATABASE_URL": database, "AGORA_TOKEN_HTTP": "127.0.0.1:0",
        ]
        child = try ChildProcess(
            launcher ?? binary, (launcher == nil ? [] : [binary]) + ["worker"] + arguments,
            environment: variables.merging(environment) { $1 })
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
        // One that has only begun would die of the signal instead of taking it.
        try? await eventually(within: .seconds(5), "a worker that takes SIGTERM") { exit != nil || takesSignals }
        child.signal(SIGTERM)
        return try await child.wait(within: limit)
    }

    /// Whether one of its threads has blocked SIGTERM; the one that waits for it shows it as open meanwhile.
    private var takesSignals: Bool {
        let tasks = "/proc/\(processID)/task"
        return (try? FileManager.default.contentsOfDirectory(atPath: tasks))?.contains { task in
            let status = try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
            let blocked = status?.firstMatch(of: /SigBlk:\s+([0-9a-f]+)/).flatMap { UInt64($0.output.1, radix: 16) }
            return (blocked ?? 0) >> UInt64(SIGTERM - 1) & 1 == 1
        } ?? false
    }

    /// Waits for its end.
    @discardableResult
    package func wait(within limit: Duration) async throws -> ChildProcess.Exit {
        try await child.wait(within: limit)
    }

    /// Its log: standard output and standard error.
    package var log: String { child.output + child.errorText }

    /// Its HTTP address, HOST:PORT, which it chose by itself.
    package func httpAddress() async throws -> String {
        try await firstAnswer(within: .seconds(10), "an HTTP address in the worker's log\n\(log)") {
            log.firstMatch(of: /"serves_http","address":"([^"]+)"/).map { String($0.output.1) }
        }
    }

    /// A page of its HTTP address: the status and the body.
    package func page(_ path: String) async throws -> (status: Int, body: String) {
        let base = try await httpAddress()
        guard let url = URL(string: "http://\(base)\(path)") else { throw TestFailure("no URL of \(base)\(path)") }
        var request = URLRequest(url: url, timeoutInterval: 10)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    /// Waits until `/readyz` says that the worker is ready, or that it is not; returns what it says.
    @discardableResult
    package func becomes(ready: Bool, within limit: Duration) async throws -> String {
        let status = ready ? 200 : 503
        return try await firstAnswer(within: limit, "/readyz with \(status)\n\(log.suffix(2000))") {
            let page = try await page("/readyz")
            return page.status == status ? page.body : nil
        }
    }

    /// The share of a processor that it uses in a while.
    package func processorShare(over time: Duration) async throws -> Double {
        guard let before = child.processorSeconds else { throw TestFailure("the worker has ended") }
        let begin = ContinuousClock.now
        try await Task.sleep(for: time)
        guard let after = child.processorSeconds else { throw TestFailure("the worker has ended") }
        return (after - before) / ((ContinuousClock.now - begin) / .seconds(1))
    }

    /// Resident memory in bytes; nil when it has ended.
    package var residentBytes: Int? { child.residentBytes }
}
