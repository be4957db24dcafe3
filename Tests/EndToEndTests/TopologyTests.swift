// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// The queues of the contract: made by one command, checked by another, never by the worker.
@Suite(.timeLimit(.minutes(2)))
struct TopologyTests {
    @Test func applyAndCheck() async throws {
        try await VirtualHost.with { host in
            let environment = ["AMQP_URL": host.url]
            let before = try ChildProcess(TestEnvironment.binary, ["topology", "check"], environment: environment)
            #expect(try await before.wait(within: .seconds(20)) == .code(1))
            #expect((before.output + before.errorText).contains("topology apply"), "it names the command that helps")

            for _ in 0..<2 { try await WorkerProcess.applyTopology(url: host.url) }
            try await ChildProcess.run(TestEnvironment.binary, ["topology", "check"], environment: environment)

            let driver = try await Driver(url: host.url)
            for queue in ["tokens.request", "tokens.renew", "tokens.cancel", "tokens.dead", "notices.unrouted"] {
                #expect(try await driver.look(at: "agora.\(queue)").messages == 0)
            }
        }
    }

    @Test func limitsArePolicies() async throws {
        try await VirtualHost.with { host in
            try await ChildProcess.run(
                TestEnvironment.binary, ["topology", "apply", "--management", host.broker.management.base],
                environment: ["AMQP_URL": host.url])
            let definition = String(
                decoding: try await host.broker.management.call("GET", ["policies", host.name]), as: UTF8.self)
            #expect(definition.contains(#""delivery-limit":20"#))
            #expect(definition.contains("max-length"), "the queue for notices that nobody hears is bounded")
        }
    }

    @Test func anotherPrefix() async throws {
        try await VirtualHost.with { host in
            try await ChildProcess.run(
                TestEnvironment.binary, ["topology", "apply", "--prefix", "calls"], environment: ["AMQP_URL": host.url])
            let driver = try await Driver(url: host.url)
            #expect(try await driver.look(at: "calls.tokens.request").messages == 0)
        }
    }

    @Test func workerWithoutTopologySaysWhatIsMissing() async throws {
        try await VirtualHost.with { host in
            let worker = try WorkerProcess(url: host.url, database: WorkerProcess.newDatabase())
            try await eventually(within: .seconds(20), "a line that names a queue and the command\n\(worker.log)") {
                worker.log.contains("agora.tokens") && worker.log.contains("topology apply")
            }
        }
    }

    @Test("B14 of the broker: notices that no queue takes are kept aside")
    func noticesWithoutListenersAreKept() async throws {
        try await Scene.withWorker { scene, _ in
            let driver = try await Driver(url: scene.host.url)
            let replies = try await driver.consumedQueue()
            let body = #"{"channelName":"test","uid":1,"expire":2,"notify":{"before":[]}}"#
            _ = try driver.publish(
                Array(body.utf8), to: "agora.tokens", key: "request", .init(correlationID: "1", replyTo: replies))
            try await eventually(within: .seconds(30), "a notice in the queue for those without a listener") {
                try await driver.look(at: "agora.notices.unrouted").messages == 1
            }
        }
    }
}
