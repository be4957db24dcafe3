// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TestSupport
import Testing

/// Queues that are missing, refused, deleted, temporary or somebody else's, and what that means for the others.
@Suite(.timeLimit(.minutes(2))) struct ConsumerQueueTests {
    @Test("Report04, Report25: a queue deleted and kept missing, then made again; the other queue undisturbed")
    func repairsDeletedQueues() async throws {
        try await VirtualHost.with { host in
            let topology = try Topology(try quickConfiguration(host.url))
            try topology.declareQueue("a")
            try topology.declareQueue("b")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            let consumer = ConsumerProbe(
                try quickConfiguration(host.url),
                [QueueSubscription(.existing("a")), QueueSubscription(.existing("b"))])
            try await consumer.waitReady()
            try await publisher.send(["b1"], to: "b")
            let held = try await consumer.wait(for: 1)[0]

            try topology.deleteQueue("a")
            let known = consumer.states.all.count
            let incomplete = try await consumer.states.wait(after: known - 1, "incomplete") {
                if case .incomplete = $0 { true } else { false }
            }
            guard case .incomplete(let errors) = incomplete else { return }
            #expect(errors.map(\.code) == [.notFound])
            #expect(errors.allSatisfy { $0.text.contains("'a'") })
            try await publisher.send(["b2"], to: "b", from: 2)
            try await consumer.wait(for: 2)

            let before = consumer.states.all.count
            try topology.declareQueue("a")
            try await consumer.states.wait(within: .seconds(5), after: before, "ready again") { $0.isReady }
            try await publisher.send(["a1"], to: "a", from: 3)
            let deliveries = try await consumer.wait(for: 3)
            #expect(deliveries.map(\.queue) == [1, 1, 0])
            // The delivery from before is still settled on its own channel.
            consumer.connection.acknowledge([held.tag] + deliveries[1...].map(\.tag))
            consumer.connection.close()
            #expect(try await host.messages(in: "b") == 0)
        }
    }

    @Test("A queue that is missing at the start is named, and consumed once it is there")
    func waitsForMissingQueues() async throws {
        try await VirtualHost.with { host in
            let consumer = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("later"))])
            let state = try await consumer.states.wait("incomplete") {
                if case .incomplete = $0 { true } else { false }
            }
            guard case .incomplete(let errors) = state else { return }
            #expect(errors[0].replyCode == 404)
            #expect(errors[0].description.contains("no queue 'later' in vhost '\(host.name)'"))
            try Topology(try quickConfiguration(host.url)).declareQueue("later")
            try await consumer.waitReady()
            #expect(consumer.connection.queueNames == ["later"])
        }
    }

    @Test("Report08, B13: a queue that may not be read leaves the others alone")
    func isolatesRefusedQueues() async throws {
        try await VirtualHost.with { host in
            let topology = try Topology(try quickConfiguration(host.url))
            try topology.declareQueue("open")
            try topology.declareQueue("secret")
            try await host.withUser("reader") { user, url in
                try await host.allow(user, configure: "", write: "", read: "^open$")
                let consumer = ConsumerProbe(
                    try quickConfiguration(url),
                    [QueueSubscription(.existing("open")), QueueSubscription(.existing("secret"))])
                let state = try await consumer.states.wait("incomplete") {
                    if case .incomplete = $0 { true } else { false }
                }
                guard case .incomplete(let errors) = state else { return }
                #expect(errors.map(\.code) == [.accessRefused])
                try await host.publish(to: "open", "x")
                #expect(try await consumer.wait(for: 1)[0].text == "x")
                let before = consumer.states.all.count
                try await host.allow(user, configure: "", write: "", read: ".*")
                try await consumer.states.wait(after: before, "ready") { $0.isReady }
            }
        }
    }

    @Test("Report23: a temporary queue is made and bound anew after each connection")
    func makesTemporaryQueues() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareExchange("e", type: "topic")
            let consumer = ConsumerProbe(
                try quickConfiguration(host.url, name: "listener"),
                [QueueSubscription(.temporary(bindings: [.init(exchange: "e", routingKey: "a.#")]))])
            try await consumer.waitReady()
            let name = try #require(consumer.connection.queueNames[0])
            #expect(name.hasPrefix("amq.gen-"))
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            let notice = Publication(id: 1, channel: .notices, exchange: "e", routingKey: "a.b", body: [65])
            publisher.connection.publish([notice])
            #expect(try await consumer.wait(for: 1)[0].routingKey == "a.b")

            let before = consumer.states.all.count
            try await host.closeConnection(named: "listener")
            try await consumer.states.wait(after: before, "ready again") { $0.isReady }
            #expect(consumer.connection.queueNames[0] != name)
            publisher.connection.publish([notice])
            try await consumer.wait(for: 2)
        }
    }

    @Test("An owner's queue: one connection at a time, and the next one when it ends")
    func ownsExclusively() async throws {
        try await VirtualHost.with { host in
            let first = ConsumerProbe(try quickConfiguration(host.url), [], exclusiveOwnerQueue: "owner")
            try await first.waitReady()
            let second = ConsumerProbe(try quickConfiguration(host.url), [], exclusiveOwnerQueue: "owner")
            let state = try await second.states.wait("refused") { if case .unreachable = $0 { true } else { false } }
            guard case .unreachable(let error, _) = state else { return }
            #expect(error.code == .resourceLocked)
            #expect(error.description.contains("'owner'"))
            first.connection.close()
            try await second.waitReady()
        }
    }
}
