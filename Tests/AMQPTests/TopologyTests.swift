// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct TopologyTests {
    @Test func declaresBindsAndLooks() async throws {
        try await VirtualHost.with { host in
            let topology = try Topology(try quickConfiguration(host.url))
            try topology.declareExchange("e", type: "topic")
            try topology.declareExchange("e", type: "topic")
            try topology.checkExchange("e")
            let declared = try topology.declareQueue("q", arguments: ["x-queue-type": .string("quorum")])
            #expect(declared.name == "q")
            try topology.bindQueue("q", to: "e", routingKey: "a.*")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            publisher.connection.publish([
                Publication(id: 1, channel: .notices, exchange: "e", routingKey: "a.b", isMandatory: true, body: []),
                Publication(id: 2, channel: .notices, exchange: "e", routingKey: "b", isMandatory: true, body: []),
            ])
            #expect(try await publisher.result(of: 1) == .confirmed)
            #expect(try await publisher.result(of: 2) == .returned(code: 312, text: "NO_ROUTE"))
            try await eventually(within: .seconds(5), "one message") { try topology.checkQueue("q").messages == 1 }
            try topology.purgeQueue("q")
            #expect(try topology.checkQueue("q").messages == 0)
            try topology.deleteQueue("q")
            try topology.deleteQueue("q")
            try topology.deleteExchange("e")
            #expect(throws: AMQPError.self) { try topology.checkExchange("e") }
        }
    }

    @Test("B11: the broker's exact refusal, after which the next operation works")
    func passesRefusalsOn() async throws {
        try await VirtualHost.with { host in
            let topology = try Topology(try quickConfiguration(host.url))
            let missing = #expect(throws: AMQPError.self) { try topology.checkQueue("nothing") }
            #expect(missing?.code == .notFound)
            #expect(missing?.replyCode == 404)
            #expect(
                missing?.description
                    == "looking for queue 'nothing': NOT_FOUND - no queue 'nothing' in vhost '\(host.name)'")
            try topology.declareQueue("q")
            let differs = #expect(throws: AMQPError.self) {
                try topology.declareQueue("q", arguments: ["x-queue-type": .string("quorum")])
            }
            #expect(differs?.code == .preconditionFailed)
            #expect(differs?.text.contains("inequivalent arg 'x-queue-type'") == true)
            try topology.checkQueue("q")
            let unbound = #expect(throws: AMQPError.self) {
                try topology.bindQueue("q", to: "nowhere", routingKey: "k")
            }
            #expect(unbound?.code == .notFound)
        }
    }

    @Test("B13: permissions are checked by the broker, and its answer is told")
    func tellsMissingPermissions() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            try await host.withUser("passive") { user, url in
                try await host.allow(user, configure: "", write: "", read: "")
                let topology = try Topology(try quickConfiguration(url))
                #expect(try topology.checkQueue("q").name == "q")
                let refused = #expect(throws: AMQPError.self) { try topology.declareQueue("new") }
                #expect(refused?.code == .accessRefused)
            }
        }
    }

    @Test func namesAnAbsentBroker() throws {
        let configuration = try quickConfiguration("amqp://me:geheim@127.0.0.1:1/v")
        let error = #expect(throws: AMQPError.self) { try Topology(configuration) }
        #expect(error?.code == .unreachable)
        #expect(
            error?.description
                == "amqp://me@127.0.0.1:1/v: the connection was refused or the host cannot be reached")
    }
}
