// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// Workers on a cluster of three brokers, which die and come back while a client asks, renews and cancels.
@Suite("A cluster", .enabled(if: TestEnvironment.runsLongTests, "takes minutes"), .timeLimit(.minutes(15)))
struct ClusterTests {
    private static let scenario = KillScenario(
        leases: 2000, seconds: 120, lifetimes: 20...60, brokerKills: [], databaseKills: [])

    @Test("The leader's node is killed under load, then each node restarted in turn: no request and no notice is lost")
    func losesNothing() async throws {
        let cluster = try await PrivateCluster()
        let database = try await PrivatePostgres()
        try await database.migrate()
        try await ChildProcess.run(
            TestEnvironment.binary, ["topology", "apply", "--management", cluster.nodes[0].address.management.base],
            environment: ["AMQP_URL": cluster.urls[0]])
        let client = try await SturdyClient(urls: cluster.urls)
        let workers = try (0..<2).map { _ in
            try WorkerProcess(url: cluster.urls.joined(separator: " "), database: database.url)
        }
        let faults = Task {
            try await Task.sleep(for: .seconds(10))
            let leader = try await cluster.leader(of: "agora.tokens.request")
            try await leader.kill()
            try await Task.sleep(for: .seconds(10))
            try await leader.start()
            for node in cluster.nodes {
                try await Task.sleep(for: .seconds(5))
                try await node.stop()
                try await node.start()
            }
        }
        defer { faults.cancel() }
        var load = KillLoad(Self.scenario)
        try await load.run(client)
        try await faults.value
        var accounts = try await load.drain(client)
        let pause = load.longestPause
        let report = accounts.settle(confirmed: client.confirmed)
        print("cluster: longest pause \(pause) s; \(client.republished) messages published again; \(report)")
        #expect(accounts.faults == [])
        for worker in workers { #expect(try await worker.stop() == .code(0), "\(worker.log.suffix(2000))") }
        try await database.remove()
        try await cluster.remove()
    }
}
