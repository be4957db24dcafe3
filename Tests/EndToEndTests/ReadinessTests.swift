// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// `/livez` and `/readyz` of a worker, while something is away.
@Suite(.timeLimit(.minutes(3)))
struct ReadinessTests {
    @Test func notReadyWhileTheStoreIsAway() async throws {
        try await Scene.withWorker { scene, worker in
            try await worker.becomes(ready: true, within: .seconds(20))
            // Another process holds the file's only write lock, for longer than anybody waits for it.
            let path = scene.database.dropFirst("sqlite:".count)
            let thief = try ChildProcess(
                "/usr/bin/python3",
                [
                    "-c",
                    """
                    import sqlite3, sys
                    file = sqlite3.connect(sys.argv[1], isolation_level=None)
                    file.execute("BEGIN IMMEDIATE")
                    print("held", flush=True)
                    sys.stdin.read()
                    """, String(path),
                ], writable: true)
            try await eventually(within: .seconds(10), "the lock") { thief.output.contains("held") }
            let why = try await worker.becomes(ready: false, within: .seconds(15))
            #expect(why.contains("store: the lease store is unavailable"))
            #expect(try await worker.page("/livez").status == 200)
            try await thief.kill()
            try await worker.becomes(ready: true, within: .seconds(15))
            let requester = try await Requester(url: scene.host.url)
            _ = try await requester.token(#"{"channelName":"test","uid":1}"#)
        }
    }

    @Test func notReadyWithoutTheTopology() async throws {
        try await VirtualHost.with { host in
            let worker = try WorkerProcess(url: host.url, database: "none")
            let why = try await worker.becomes(ready: false, within: .seconds(20))
            #expect(why.hasPrefix("not ready\n"))
            try await eventually(within: .seconds(20), "the queue in the answer") {
                try await worker.page("/readyz").body.contains("agora.tokens.request")
            }
            try await WorkerProcess.applyTopology(url: host.url)
            #expect(try await worker.becomes(ready: true, within: .seconds(20)).hasPrefix("ready\nintake: ok\n"))
            #expect(try await worker.stop() == .code(0))
        }
    }

    @Test func takenPort() async throws {
        try await Scene.withWorker { scene, worker in
            try await worker.becomes(ready: true, within: .seconds(20))
            let address = try #require(worker.log.firstMatch(of: /"serves_http","address":"([^"]+)"/)).output.1
            let second = try WorkerProcess(
                url: scene.host.url, database: "none", arguments: ["--http", String(address)])
            #expect(try await second.wait(within: .seconds(20)) == .code(3))
            #expect(second.log.split(separator: "\n").count == 1, "\(second.log)")
            #expect(second.log.contains("--http: \(address): Address already in use"))
        }
    }

    @Test func noAddress() async throws {
        try await Scene.with { scene in
            let worker = try scene.worker(arguments: ["--http", "off"])
            try await eventually(within: .seconds(20), "a connection") { worker.log.contains(#""connected""#) }
            #expect(!worker.log.contains("serves_"))
            #expect(try await worker.stop() == .code(0))
        }
    }
}
