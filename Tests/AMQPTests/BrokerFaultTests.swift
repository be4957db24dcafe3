// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Synchronization
import TestSupport
import Testing

/// What happens when a broker dies, freezes or runs out of memory.
///
/// One broker of our own for all, one test at a time.
@Suite(.serialized, .timeLimit(.minutes(3))) struct BrokerFaultTests {
    private static let broker = Task { try await PrivateBroker() }

    private func isUnreachable(_ state: ConnectionState) -> Bool {
        if case .unreachable = state { true } else { false }
    }

    private func messages(_ ids: ClosedRange<UInt64>, size: Int = 200) -> [Publication] {
        ids.map { id in
            var properties = MessageProperties()
            properties.isPersistent = true
            properties.correlationID = Array(String(id).utf8)
            return Publication(
                id: id, channel: .replies, routingKey: "q", properties: properties,
                body: [UInt8](repeating: 1, count: size))
        }
    }

    @Test("Report13, Report20, Report26: kill -9: what is on its way is lost at once; consuming again by itself")
    func survivesKill() async throws {
        let broker = try await Self.broker.value
        try await VirtualHost.with(on: broker.address) { host in
            // Killed within a second of a declaration, RabbitMQ may forget the queue: its log is flushed late.
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            try await broker.rabbitmqctl(["eval", "mnesia:sync_log()."])
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            let consumer = ConsumerProbe(
                try quickConfiguration(host.url), [QueueSubscription(.existing("q"))], prefetch: 100)
            try await publisher.waitReady()
            publisher.connection.publish(messages(1...20_000))
            let held = try await consumer.wait(for: 100)
            try await publisher.wait(for: 2000)
            let (seenByConsumer, seenByPublisher) = (consumer.states.all.count, publisher.states.all.count)
            try await broker.kill()
            try await consumer.states.wait(within: .seconds(1), after: seenByConsumer, "gone", for: isUnreachable)
            try await publisher.states.wait(within: .seconds(1), after: seenByPublisher, "gone", for: isUnreachable)
            let outcomes = try await publisher.wait(for: 20_000, within: .seconds(1))
            #expect(Set(outcomes.map(\.id)).count == 20_000, "one outcome each")
            let confirmed = Set(outcomes.filter { $0.result == .confirmed }.map(\.id))
            #expect(confirmed.count < 20_000, "the broker was killed too late to prove anything")
            consumer.connection.acknowledge(held.map(\.tag))

            try await broker.start()
            let start = ContinuousClock.now
            try await consumer.wait(for: 101)
            try await eventually(within: .seconds(10), "the publisher") { publisher.connection.state.isReady }
            #expect(start.duration(to: .now) < .seconds(10))
            let missing = try await firstAnswer(within: .seconds(30), "every confirmed message") {
                let received = consumer.received
                consumer.connection.acknowledge(received.map(\.tag))
                let ids = received.compactMap(\.properties.correlationID).map { String(decoding: $0, as: UTF8.self) }
                return confirmed.isSubset(of: ids.compactMap { UInt64($0) }) ? 0 : nil
            }
            #expect(missing == 0)
        }
    }

    @Test("L01, Report01, Report03, Report16: a frozen broker holds no thread, and everything resumes after it")
    func survivesFreezing() async throws {
        let broker = try await Self.broker.value
        try await VirtualHost.with(on: broker.address) { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            var configuration = try quickConfiguration(host.url)
            let isLong = TestEnvironment.runsLongTests
            configuration.heartbeat = isLong ? 5 : 2
            configuration.handshakeTimeout = .seconds(1)
            let publisher = PublisherProbe(configuration)
            let consumer = ConsumerProbe(configuration, [QueueSubscription(.existing("q"))])
            let leaving = PublisherProbe(configuration)
            for probe in [publisher, leaving] { try await probe.waitReady() }
            try await consumer.waitReady()
            try await broker.pause()
            let start = ContinuousClock.now
            // More than the socket's buffers take: the send itself hangs.
            for probe in [publisher, leaving] { probe.connection.publish(messages(1...400, size: 100_000)) }

            let isOrderly = leaving.connection.close(within: .seconds(1))
            #expect(!isOrderly)
            #expect(start.duration(to: .now) < .seconds(3), "closing does not wait for the broker")
            #expect(Set(leaving.received.map(\.id)).count == 400)

            let limit: Duration = isLong ? .seconds(15) : .seconds(8)
            try await publisher.states.wait(within: limit, "publisher not ready", for: isUnreachable)
            try await consumer.states.wait(within: limit, "consumer not ready", for: isUnreachable)
            let outcomes = try await publisher.wait(for: 400, within: .seconds(1))
            #expect(outcomes.allSatisfy { if case .lost = $0.result { true } else { false } })
            #expect(start.duration(to: .now) < limit + .seconds(1))
            // The rest of the time for which the broker is to stand still.
            if isLong { try await Task.sleep(until: start + .seconds(60)) }
            try await broker.resume()
            try await eventually(within: .seconds(10), "both ready") {
                publisher.connection.state.isReady && consumer.connection.state.isReady
            }
            try await publisher.send(["after"], to: "q", from: 1000)
            try await eventually(within: .seconds(5), "the message after it") {
                consumer.received.contains { $0.text == "after" }
            }
        }
    }

    @Test("L02, L03, L04, B21, Report02: a memory alarm blocks publishing, not acknowledging, and loses nothing")
    func waitsOutAlarms() async throws {
        let broker = try await Self.broker.value
        try await VirtualHost.with(on: broker.address) { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            let leaving = PublisherProbe(try quickConfiguration(host.url))
            try await leaving.waitReady()
            try await publisher.waitReady()
            try await publisher.send(["before"], to: "q", from: 1000)
            let consumer = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
            let held = try await consumer.wait(for: 1)

            try await broker.rabbitmqctl(["set_vm_memory_high_watermark", "0.00001"])
            // RabbitMQ tells a connection when it publishes next.
            publisher.connection.publish(messages(1...1))
            let state = try await publisher.states.wait("blocked") { if case .blocked = $0 { true } else { false } }
            #expect(state == .blocked("low on memory"))
            publisher.connection.publish(messages(2...500))
            consumer.connection.acknowledge(held.map(\.tag))
            consumer.connection.close()
            #expect(try await host.messages(in: "q") == 0, "acknowledged in spite of the alarm")
            #expect(publisher.received.count <= 2, "nothing is confirmed meanwhile")
            leaving.connection.publish(messages(1...500))
            let start = ContinuousClock.now
            leaving.connection.close(within: .seconds(1))
            #expect(start.duration(to: .now) < .seconds(4), "closing does not wait for the alarm's end")
            #expect(leaving.received.count == 500, "an outcome each")

            let seen = publisher.states.all.count
            try await broker.rabbitmqctl(["set_vm_memory_high_watermark", "0.6"])
            try await publisher.states.wait(after: seen, "ready again") { $0.isReady }
            let outcomes = try await publisher.wait(for: 501)
            #expect(outcomes.allSatisfy { $0.result == .confirmed })
            #expect(Set(outcomes.map(\.id)).count == 501)
        }
    }

    @Test("B08, Report14, Report15: a handler past the broker's time limit loses its channel, and only that")
    func survivesConsumerTimeout() async throws {
        let broker = try await Self.broker.value
        try await broker.rabbitmqctl([
            "eval",
            "application:set_env(rabbit, channel_tick_interval, 500), application:set_env(rabbit, consumer_timeout, 1000).",
        ])
        try await VirtualHost.with(on: broker.address) { host in
            let topology = try Topology(try quickConfiguration(host.url))
            try topology.declareQueue("q")
            try topology.declareQueue("other")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.send(["slow"], to: "q")
            let consumer = ConsumerProbe(
                try quickConfiguration(host.url),
                [QueueSubscription(.existing("q")), QueueSubscription(.existing("other"))])
            let held = try await consumer.wait(for: 1)[0]
            let state = try await consumer.states.wait("told") { if case .incomplete = $0 { true } else { false } }
            guard case .incomplete(let errors) = state else { return }
            #expect(errors.map(\.code) == [.preconditionFailed])
            let again = try await consumer.wait(for: 2)[1]
            #expect(again.isRedelivered)
            // The handler ends at last: its tag belongs to the channel's former life.
            consumer.connection.acknowledge([held.tag, again.tag])
            try await publisher.send(["quick"], to: "other", from: 2)
            let quick = try await consumer.wait(for: 3)[2]
            #expect(quick.text == "quick")
            consumer.connection.acknowledge([quick.tag])
            #expect(consumer.connection.close())
            #expect(try await host.messages(in: "q") == 0)
            #expect(!consumer.states.all.contains(where: isUnreachable))
        }
        try await broker.rabbitmqctl([
            "eval",
            "application:set_env(rabbit, channel_tick_interval, 60000), application:set_env(rabbit, consumer_timeout, 1800000).",
        ])
    }

    @Test("L27: a broker that shuts down says so, and is found again")
    func survivesShutdown() async throws {
        let broker = try await Self.broker.value
        try await VirtualHost.with(on: broker.address) { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let consumer = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
            try await consumer.waitReady()
            let seen = consumer.states.all.count
            let stopping = Task { try await broker.stop() }
            let state = try await consumer.states.wait(after: seen, "told", for: isUnreachable)
            guard case .unreachable(let error, _) = state else { return }
            #expect(error.code == .connectionForced)
            #expect(error.replyCode == 320)
            try await stopping.value
            // Counted before: it may be ready again before the script that starts the broker has ended.
            let count = consumer.states.all.count
            try await broker.start()
            try await consumer.states.wait(after: count, "ready again") { $0.isReady }
        }
    }
}
