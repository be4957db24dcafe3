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

    /// A broker that imports the definitions has the topology, without a difference.
    @Test func exportedDefinitionsAreTheTopology() async throws {
        try await VirtualHost.with { host in
            let words = ["--prefix", "calls", "--delivery-limit", "7"]
            let definitions = try await ChildProcess.run(
                TestEnvironment.binary, ["topology", "export"] + words, environment: ["AMQP_URL": host.url])
            let diff = ["topology", "diff", "--management", host.broker.management.base] + words
            let before = try await outcome(diff, host)
            #expect(before.exit == .code(1))
            #expect(before.text.contains("queue calls.tokens.request is missing"))
            #expect(before.text.contains("policy calls.tokens is missing"))
            try await host.broker.management.call("POST", ["definitions"], body: definitions)
            try await eventually(within: .seconds(10), "no difference") {
                try await outcome(diff, host) == (.code(0), "")
            }
            try await ChildProcess.run(
                TestEnvironment.binary, ["topology", "check", "--prefix", "calls"], environment: ["AMQP_URL": host.url])
        }
    }

    /// A queue that is missing does not hide a policy that differs.
    @Test func checkNamesEverythingAtOnce() async throws {
        try await VirtualHost.with { host in
            let management = host.broker.management
            let words = ["topology", "check", "--json", "--management", management.base]
            try await ChildProcess.run(
                TestEnvironment.binary, ["topology", "apply", "--management", management.base],
                environment: ["AMQP_URL": host.url])
            try await eventually(within: .seconds(10), "a complete topology") {
                try await outcome(words, host).exit == .code(0)
            }
            try await management.call("DELETE", ["queues", host.name, "agora.tokens.dead"])
            try await management.call("DELETE", ["policies", host.name, "agora.tokens"])
            try await eventually(within: .seconds(10), "both differences") {
                let result = try await outcome(words, host)
                return result.exit == .code(1) && result.text.contains("\"complete\":false")
                    && result.text.contains("queue agora.tokens.dead is missing")
                    && result.text.contains("policy agora.tokens is missing")
            }
        }
    }

    @Test("B40: a queue of another kind is named with what it has and what it should have")
    func differencesAreNamed() async throws {
        try await VirtualHost.with { host in
            let management = host.broker.management
            let words = ["--management", management.base]
            // A classic queue where a quorum queue belongs, an exchange of another type, and a curious neighbour.
            try await management.call(
                "PUT", ["queues", host.name, "agora.tokens.dead"], body: #"{"durable":true}"#)
            try await management.call("PUT", ["exchanges", host.name, "agora.notices"], body: #"{"type":"fanout"}"#)
            let refused = try await outcome(["topology", "apply"] + words, host)
            #expect(refused.exit == .code(1) && refused.text.contains("agora.notices"), "\(refused)")
            try await management.call("DELETE", ["exchanges", host.name, "agora.notices"])
            try await management.call("DELETE", ["queues", host.name, "agora.tokens.dead"])
            try await ChildProcess.run(
                TestEnvironment.binary, ["topology", "apply"] + words, environment: ["AMQP_URL": host.url])
            try await management.call("DELETE", ["queues", host.name, "agora.tokens.dead"])
            try await management.call(
                "PUT", ["queues", host.name, "agora.tokens.dead"], body: #"{"durable":true}"#)
            try await management.call(
                "POST", ["bindings", host.name, "e", "agora.tokens", "q", "agora.tokens.dead"],
                body: #"{"routing_key":"request"}"#)
            try await management.call(
                "PUT", ["policies", host.name, "mine"],
                body: #"{"pattern":"renew$","definition":{"max-length":5},"priority":9}"#)
            try await eventually(within: .seconds(10), "three differences") {
                let lines = try await outcome(["topology", "diff"] + words, host).text.split(separator: "\n").sorted()
                return lines == [
                    #"binding of agora.tokens.dead to agora.tokens with "request" does not belong there"#,
                    #"queue agora.tokens.dead: arguments is {} instead of {"x-queue-type": "quorum"}"#,
                    "queue agora.tokens.renew: follows policy mine instead of policy agora.tokens",
                ]
            }
            let checked = try await outcome(["topology", "check"] + words, host)
            #expect(checked.exit == .code(1) && checked.text.contains("follows policy mine"), "\(checked)")
            let unseen = try await outcome(["topology", "check"], host)
            #expect(unseen.exit == .code(0) && unseen.text.contains("were not looked at"), "\(unseen)")
        }
    }

    @Test(arguments: [
        ["--queue", "agora.tokens.request", "--caller", "u-a"], ["--queue", "q", "--caller", "alice"],
        ["--queue", "q", "--caller", "u-#"], ["--queue", "q"], ["--queue", "amq.q", "--caller", "anonymous"],
    ])
    func noSubscription(_ words: [String]) async throws {
        try await VirtualHost.with { host in
            let refused = try await outcome(["topology", "subscribe"] + words, host)
            #expect(refused.exit == .code(2), "\(refused.text)")
        }
    }

    private func outcome(
        _ words: [String], _ host: VirtualHost
    ) async throws -> (exit: ChildProcess.Exit, text: String) {
        let child = try ChildProcess(TestEnvironment.binary, words, environment: ["AMQP_URL": host.url])
        let exit = try await child.wait(within: .seconds(20))
        return (exit, child.output + child.errorText)
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

    @Test("B14 of the broker, B46: notices that no queue takes are kept aside")
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
