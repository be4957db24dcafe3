// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// `health`, by which a container engine asks.
@Suite(.timeLimit(.minutes(2)))
struct HealthCommandTests {
    private func health(_ arguments: String...) async throws -> (exit: ChildProcess.Exit, output: String) {
        // A proxy that somebody has set is not asked for a page of this host.
        let child = try ChildProcess(
            TestEnvironment.binary, ["health"] + arguments, environment: ["http_proxy": "http://127.0.0.1:1"])
        let exit = try await child.wait(within: .seconds(20))
        return (exit, child.output + child.errorText)
    }

    @Test func saysHowTheWorkerIs() async throws {
        try await VirtualHost.with { host in
            try await WorkerProcess.applyTopology(url: host.url)
            let worker = try WorkerProcess(url: host.url, database: "none")
            try await worker.becomes(ready: true, within: .seconds(20))
            let address = try await worker.httpAddress()
            let ready = try await health("--http", address)
            #expect(ready.exit == .code(0))
            #expect(ready.output.hasPrefix("ready\n"))
            #expect(try await health("--live", "--http", address).output.hasPrefix("alive"))
            try await worker.kill()
            #expect(try await health("--http", address).exit == .code(4))
        }
    }

    @Test func notReadyIsFailure() async throws {
        try await VirtualHost.with { host in
            let worker = try WorkerProcess(url: host.url, database: "none")
            let address = try await worker.httpAddress()
            try await worker.becomes(ready: false, within: .seconds(20))
            let answer = try await health("--http", address)
            #expect(answer.exit == .code(1))
            #expect(answer.output.hasPrefix("not ready\n"))
            #expect(try await health("--live", "--http", address).exit == .code(0))
        }
    }

    @Test(arguments: ["off", "127.0.0.1:0", "nowhere"])
    func nowhereToAsk(_ address: String) async throws {
        let answer = try await health("--http", address)
        #expect(answer.exit == .code(3))
        #expect(answer.output.contains("--http"))
    }
}
