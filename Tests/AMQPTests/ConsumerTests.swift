// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Foundation
import TestSupport
import Testing

/// Consuming from a real broker; what is in a queue is put there, and looked at, over its management API.
@Suite(.timeLimit(.minutes(2))) struct ConsumerTests {
    @Test func readsPropertiesThatAnotherClientWrote() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let properties = """
                {"content_type":"application/json","content_encoding":"gzip","type":"t","reply_to":"r",
                 "correlation_id":"c","message_id":"m","user_id":"guest","app_id":"a","timestamp":1790000000,
                 "expiration":"60000","priority":3,"delivery_mode":2,
                 "headers":{"text":"é","number":-7,"flag":true,"list":["x",{"y":1}]}}
                """
            try await host.publish(to: "q", "body", properties: properties)
            let consumer = ConsumerProbe(
                try quickConfiguration(host.url), [QueueSubscription(.existing("q"), consumerTag: "tag-1")])
            let delivery = try await consumer.wait(for: 1)[0]
            var expected = MessageProperties()
            expected.contentType = "application/json"
            expected.contentEncoding = "gzip"
            expected.type = "t"
            expected.replyTo = "r"
            expected.correlationID = [UInt8(ascii: "c")]
            expected.messageID = "m"
            expected.userID = "guest"
            expected.appID = "a"
            expected.timestamp = 1_790_000_000
            expected.expiration = 60_000
            expected.priority = 3
            expected.isPersistent = true
            expected.headers = delivery.properties.headers
            #expect(delivery.properties == expected)
            let headers = delivery.properties.headers
            #expect(headers["text"]?.text == "é")
            #expect(headers["number"]?.integer == -7)
            #expect(headers["flag"] == .boolean(true))
            #expect(headers["list"] == .array([.string("x"), .table(["y": .integer(1)])]))
            #expect(delivery.text == "body")
            #expect(delivery.exchange == "")
            #expect(delivery.routingKey == "q")
            #expect(!delivery.isRedelivered)
            let tags = try await firstAnswer(within: .seconds(10), "a consumer in the API") {
                let consumers = try await host.consumers()
                return consumers.isEmpty ? nil : consumers.map(\.consumerTag)
            }
            #expect(tags == ["tag-1"])
            #expect(try await host.consumers().map(\.prefetchCount) == [250])
        }
    }

    @Test("B17, B22: the connection has a name, announces what it can, and tells the broker's version")
    func announcesItself() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            var configuration = try quickConfiguration(host.url, name: "worker host/1 intake")
            configuration.clientProperties = ["product": .string("some product"), "version": .string("9.9")]
            let consumer = ConsumerProbe(configuration, [QueueSubscription(.existing("q"))])
            try await consumer.waitReady()
            let properties = try await host.connection(named: "worker host/1 intake").clientProperties
            #expect(properties.product == "some product")
            #expect(properties.version == "9.9")
            #expect(
                properties.capabilities == [
                    "consumer_cancel_notify": true, "connection.blocked": true, "publisher_confirms": true,
                    "basic.nack": true, "authentication_failure_close": true, "exchange_exchange_bindings": true,
                ])
            #expect(consumer.connection.broker?.product == "RabbitMQ")
            #expect(consumer.connection.broker?.version.isEmpty == false)
        }
    }

    @Test("L18: a body over the limit is reported by its size, and the next message served")
    func skipsLargeBodies() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            publisher.connection.publish([
                Publication(
                    id: 1, channel: .replies, routingKey: "q", body: [UInt8](repeating: 1, count: 3_000_000)),
                Publication(
                    id: 2, channel: .replies, routingKey: "q", body: [UInt8](repeating: 2, count: 1 << 20)),
            ])
            let consumer = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
            let deliveries = try await consumer.wait(for: 2)
            #expect(deliveries[0].body == .tooLarge(3_000_000))
            #expect(deliveries[1].body == .bytes([UInt8](repeating: 2, count: 1 << 20)))
            consumer.connection.reject([deliveries[0].tag], requeue: false)
            consumer.connection.acknowledge([deliveries[1].tag])
            consumer.connection.close()
            #expect(try await host.messages(in: "q") == 0)
        }
    }

    @Test("Settled once: what is acknowledged is gone, what is not comes back, old tags change nothing")
    func settlesExactly() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.send((0..<10).map { "m\($0)" }, to: "q")
            let first = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
            let deliveries = try await first.wait(for: 10)
            #expect(deliveries.map(\.text) == (0..<10).map { "m\($0)" })
            first.connection.acknowledge(deliveries[0..<4].map(\.tag))
            first.connection.acknowledge([deliveries[6].tag, deliveries[6].tag])
            first.connection.reject([deliveries[5].tag, deliveries[6].tag], requeue: false)
            #expect(first.connection.close())
            #expect(first.connection.state == .closed)

            let second = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
            let again = try await second.wait(for: 4)
            #expect(again.map(\.text) == ["m4", "m7", "m8", "m9"])
            second.connection.acknowledge(deliveries.map(\.tag))
            #expect(again.allSatisfy { $0.isRedelivered })
            second.connection.close()
            #expect(try await host.messages(in: "q") == 4)
        }
    }

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

    @Test("L20: when one endpoint is dead, another is tried without a pause")
    func triesOtherEndpoints() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            var configuration = try quickConfiguration(host.url)
            let good = configuration.endpoints[0]
            var dead = good
            dead.port = 1
            configuration.backOff = BackOff(first: .seconds(600), longest: .seconds(600))
            configuration.endpoints = [dead, dead, dead, good, dead, dead, dead]
            let consumer = ConsumerProbe(configuration, [QueueSubscription(.existing("q"))])
            try await consumer.waitReady()
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

    @Test(
        "Report18, Report21: closed by an operator with deliveries in hand: consuming again, and no old tag acknowledged"
    )
    func survivesForcedClose() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.send((0..<100).map { "m\($0)" }, to: "q")
            let consumer = ConsumerProbe(
                try quickConfiguration(host.url, name: "victim"), [QueueSubscription(.existing("q"))])
            let old = try await consumer.wait(for: 100)
            let before = consumer.states.all.count
            try await host.closeConnection(named: "victim")
            let state = try await consumer.states.wait(after: before, "unreachable") {
                if case .unreachable = $0 { true } else { false }
            }
            guard case .unreachable(let error, _) = state else { return }
            #expect(error.code == .connectionForced)
            try await consumer.wait(for: 200)
            // A 406 for any of these would close the channel and make a third hundred arrive.
            consumer.connection.acknowledge(old.map(\.tag))
            let again = consumer.received.dropFirst(100)
            #expect(again.allSatisfy { $0.isRedelivered })
            consumer.connection.acknowledge(again.map(\.tag))
            // Report18: the new consumer has the prefetch of the old one.
            try await eventually(within: .seconds(10), "one consumer with its prefetch") {
                try await host.consumers().map(\.prefetchCount) == [250]
            }
            consumer.connection.close()
            #expect(try await host.messages(in: "q") == 0)
            #expect(consumer.received.count == 200)
        }
    }

    @Test("L10, Report06: any thread may settle, suspend and resume, all at once")
    func takesCommandsFromAnyThread() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.send((0..<4000).map { "m\($0)" }, to: "q")
            let consumer = ConsumerProbe(
                try quickConfiguration(host.url), [QueueSubscription(.existing("q"))], prefetch: 500)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var settled = 0
                        try await eventually(within: .seconds(20), "4000 deliveries") {
                            let received = consumer.received
                            for delivery in received[settled...] {
                                if delivery.text.utf8.count % 2 == 0 {
                                    consumer.connection.acknowledge([delivery.tag])
                                } else {
                                    consumer.connection.reject([delivery.tag], requeue: false)
                                }
                            }
                            settled = received.count
                            consumer.connection.suspend()
                            consumer.connection.resume()
                            return settled == 4000
                        }
                    }
                }
                try await group.waitForAll()
            }
            consumer.connection.close()
            #expect(try await host.messages(in: "q") == 0)
            #expect(consumer.received.count == 4000)
        }
    }

    @Test("Suspended: no consumer, what was prefetched stays and is settled; resumed: as before")
    func suspendsAndResumes() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.send(["1", "2", "3"], to: "q")
            let consumer = ConsumerProbe(
                try quickConfiguration(host.url), [QueueSubscription(.existing("q"))], prefetch: 2)
            let held = try await consumer.wait(for: 2)
            consumer.connection.suspend()
            try await consumer.states.wait("suspended") { $0 == .suspended }
            consumer.connection.acknowledge(held.map(\.tag))
            try await publisher.send(["4"], to: "q", from: 10)
            try await eventually(within: .seconds(10), "two messages ready") {
                try await host.messages(in: "q") == 2
            }
            #expect(consumer.received.count == 2)
            let before = consumer.states.all.count
            consumer.connection.resume()
            try await consumer.states.wait(after: before, "ready") { $0.isReady }
            #expect(try await consumer.wait(for: 4).map(\.text) == ["1", "2", "3", "4"])
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
}
