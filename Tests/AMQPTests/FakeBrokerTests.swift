// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import FakeBroker
import Synchronization
import TestSupport
import Testing

/// A peer that does not keep to the protocol must cost nothing but a reconnection.
@Suite(.timeLimit(.minutes(1))) struct FakeBrokerTests {
    private static let hello = AMQPBytes.message(1, number: 1, "hello")

    struct Mischief: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let act: FakeBroker.Act

        init(_ name: String, _ bytes: [UInt8]) {
            testDescription = name
            act = .send(bytes)
        }

        init(_ name: String, thenHangUp bytes: [UInt8]) {
            testDescription = name
            act = .sendAndHangUp(bytes)
        }
    }

    @Test(
        "L15, Report07: garbage, oversized, truncated and disorderly frames",
        arguments: [
            Mischief("garbage", Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8)),
            Mischief("zeros", [UInt8](repeating: 0, count: 64)),
            Mischief("a frame over the negotiated size", [1, 0, 1, 0x7f, 0xff, 0xff, 0xff]),
            Mischief("a frame without its end", Array(AMQPBytes.deliver(1, number: 1).dropLast()) + [0]),
            Mischief("half a frame, then the end", thenHangUp: Array(hello.prefix(9))),
            Mischief("half a message, then the end", thenHangUp: Array(hello.prefix(50))),
            Mischief("the end", thenHangUp: []),
            Mischief("a method of no class", AMQPBytes.method(1, [1, 60, 0, 60])),
            Mischief("an empty method", AMQPBytes.frame(1, 1, [])),
            Mischief("a method with half its arguments", AMQPBytes.method(1, [0, 60, 0, 60], [1])),
            Mischief("a short string longer than its frame", AMQPBytes.method(1, [0, 60, 0, 60], [255, 1, 2])),
            Mischief("a header of another class", AMQPBytes.frame(2, 1, [0, 50] + [UInt8](repeating: 0, count: 12))),
            Mischief("a header without a method", AMQPBytes.header(1, bodySize: 5)),
            Mischief("a body without a header", AMQPBytes.deliver(1, number: 1) + AMQPBytes.body(1, "x")),
            Mischief(
                "more body than announced",
                AMQPBytes.deliver(1, number: 1) + AMQPBytes.header(1, bodySize: 1) + AMQPBytes.body(1, "xx")),
            Mischief("a channel that was never opened", AMQPBytes.message(9, number: 1, "x")),
            Mischief("a delivery out of count", AMQPBytes.message(1, number: 7, "x")),
            Mischief(
                "a table longer than its frame",
                AMQPBytes.frame(2, 1, [0, 60, 0, 0] + AMQPBytes.longLong(1) + [0x20, 0] + AMQPBytes.long(.max))),
            Mischief(
                "the connection closed",
                AMQPBytes.method(0, [0, 10, 0, 50], AMQPBytes.short(541) + [0, 0, 0, 0, 0])),
        ])
    func reconnectsAfter(_ mischief: Mischief) async throws {
        let broker = try FakeBroker([mischief.act, .send(Self.hello)])
        defer { broker.stop() }
        let consumer = ConsumerProbe(try quickConfiguration(broker.url), [QueueSubscription(.existing("q"))])
        let deliveries = try await consumer.wait(for: 1)
        #expect(deliveries.map(\.text) == ["hello"])
        #expect(broker.connections == 2)
        let isTold = consumer.states.all.contains { if case .unreachable = $0 { true } else { false } }
        #expect(isTold)
    }

    @Test("Suspended means that everything from before has been handed over, however much it was")
    func suspendedComesLast() async throws {
        let count = 800
        let deliveries = (1...count).flatMap { AMQPBytes.message(1, number: UInt64($0), "x") }
        let isOff = AMQPBytes.method(1, [0, 60, 0, 31], [1, UInt8(ascii: "t")])
        let broker = try FakeBroker([.send(deliveries + isOff)], after: FakeBroker.basicCancel)
        defer { broker.stop() }
        let handover = Handover()
        let consumer = ConsumerConnection(
            configuration: try quickConfiguration(broker.url), queues: [QueueSubscription(.existing("q"))],
            onDeliveries: { new in handover.received.withLock { $0 += new.count } },
            onState: { if $0 == .suspended { handover.end() } })
        defer { consumer.close(within: .seconds(2)) }
        consumer.start()
        try await eventually(within: .seconds(10), "a consumer") { consumer.state.isReady }
        consumer.suspend()
        let atTheEnd = try await firstAnswer(within: .seconds(10), "the end of consuming") { handover.atTheEnd }
        #expect(atTheEnd == count)
    }

    /// How many deliveries there had been when no more were to come.
    private final class Handover: Sendable {
        let received = Mutex(0)
        private let known = Mutex<Int?>(nil)

        var atTheEnd: Int? { known.withLock { $0 } }

        func end() {
            let count = received.withLock { $0 }
            known.withLock { $0 = count }
        }
    }

    @Test("L17: headers nested as deep as a frame allows are harmless")
    func survivesDeepHeaders() async throws {
        let bytes =
            AMQPBytes.message(1, number: 1, "deep", table: AMQPBytes.nestedTable(depth: 26_000))
            + AMQPBytes.message(1, number: 2, "next")
        let broker = try FakeBroker([.send(bytes)])
        defer { broker.stop() }
        let consumer = ConsumerProbe(try quickConfiguration(broker.url), [QueueSubscription(.existing("q"))])
        let deliveries = try await consumer.wait(for: 2)
        #expect(deliveries.map(\.text) == ["deep", "next"])
        var depth = 0
        var value = deliveries[0].properties.headers["h"]
        while case .array(let values)? = value {
            depth += 1
            value = values.first
        }
        #expect(depth <= 8)
        #expect(value == .omitted)
    }

    @Test("Properties that are no text are named; but for ids, which are bytes, they read as absent")
    func namesUndecodableProperties() async throws {
        // content_type, correlation_id, reply_to, expiration, message_id, type, user_id, app_id: each one byte, 0xff.
        let properties = AMQPBytes.short(0x87b8) + (0..<8).flatMap { _ in [1, 0xff] as [UInt8] }
        let header = AMQPBytes.frame(2, 1, [0, 60, 0, 0] + AMQPBytes.longLong(0) + properties)
        let broker = try FakeBroker([.send(AMQPBytes.deliver(1, number: 1) + header)])
        defer { broker.stop() }
        let consumer = ConsumerProbe(try quickConfiguration(broker.url), [QueueSubscription(.existing("q"))])
        let received = try await consumer.wait(for: 1)[0].properties
        var expected = MessageProperties()
        expected.correlationID = [0xff]
        expected.messageIDBytes = [0xff]
        expected.undecodable = [
            "content_type", "type", "app_id", "reply_to", "message_id", "user_id", "expiration",
        ]
        #expect(received == expected)
    }

    @Test("A table of very many headers is cut, and the rest of the message read")
    func cutsLargeTables() async throws {
        let table = (0..<2000).flatMap { number in
            [4] + Array("h\(number)".utf8).prefix(4) + [UInt8](repeating: 120, count: max(0, 3 - "\(number)".count))
                + [UInt8(ascii: "V")]
        }
        let broker = try FakeBroker([.send(AMQPBytes.message(1, number: 1, "body", table: table))])
        defer { broker.stop() }
        let consumer = ConsumerProbe(try quickConfiguration(broker.url), [QueueSubscription(.existing("q"))])
        let delivery = try await consumer.wait(for: 1)[0]
        #expect(delivery.text == "body")
        #expect(delivery.properties.headers.entries.count == 256)
        #expect(delivery.properties.headers["h0xx"] == .void)
    }

    @Test("L06, Report10: frames of two channels interleaved")
    func readsInterleavedChannels() async throws {
        let parts = [UInt16(1), 2].map { channel in
            [
                AMQPBytes.deliver(channel, number: 1), AMQPBytes.header(channel, bodySize: 6),
                AMQPBytes.body(channel, "one"), AMQPBytes.body(channel, "two"),
            ]
        }
        let bytes = (0..<4).flatMap { parts[0][$0] + parts[1][$0] }
        let broker = try FakeBroker([.send(bytes)], calls: 2)
        defer { broker.stop() }
        let consumer = ConsumerProbe(
            try quickConfiguration(broker.url),
            [QueueSubscription(.existing("q")), QueueSubscription(.existing("q"))])
        let deliveries = try await consumer.wait(for: 2)
        #expect(deliveries.map(\.text) == ["onetwo", "onetwo"])
        #expect(deliveries.map(\.queue) == [0, 1])
        #expect(broker.connections == 1)
    }

    @Test("A confirm is found between the frames of another channel's return")
    func readsInterleavedConfirms() async throws {
        let returned = AMQPBytes.method(
            1, [0, 60, 0, 50], AMQPBytes.short(312) + [8] + Array("NO_ROUTE".utf8) + [0, 1, UInt8(ascii: "a")])
        let bytes =
            returned + AMQPBytes.method(2, [0, 60, 0, 80], AMQPBytes.longLong(1) + [0])
            + AMQPBytes.header(1, bodySize: 0) + AMQPBytes.method(1, [0, 60, 0, 80], AMQPBytes.longLong(1) + [0])
        let broker = try FakeBroker([.send(bytes)], after: [0, 60, 0, 40], calls: 2)
        defer { broker.stop() }
        let publisher = PublisherProbe(try quickConfiguration(broker.url))
        try await publisher.waitReady()
        publisher.connection.publish([
            Publication(id: 1, channel: .replies, routingKey: "a", isMandatory: true, body: []),
            Publication(id: 2, channel: .notices, exchange: "e", routingKey: "b", body: []),
        ])
        #expect(try await publisher.result(of: 1) == .returned(code: 312, text: "NO_ROUTE"))
        #expect(try await publisher.result(of: 2) == .confirmed)
    }

    @Test("L09: heartbeats between the frames of a message are nobody's frames")
    func ignoresHeartbeats() async throws {
        let heartbeat = AMQPBytes.frame(8, 0, [])
        let bytes =
            heartbeat + AMQPBytes.deliver(1, number: 1) + heartbeat + AMQPBytes.header(1, bodySize: 4) + heartbeat
            + AMQPBytes.body(1, "on") + heartbeat + heartbeat + AMQPBytes.body(1, "e!") + heartbeat
        let broker = try FakeBroker([.send(bytes)])
        defer { broker.stop() }
        let consumer = ConsumerProbe(try quickConfiguration(broker.url), [QueueSubscription(.existing("q"))])
        #expect(try await consumer.wait(for: 1)[0].text == "one!")
        #expect(broker.connections == 1)
    }

    @Test("Report16: a broker that hangs is left for one that serves")
    func leavesHangingBrokers() async throws {
        let hanging = try FakeBroker([.silenceAfterHandshake])
        defer { hanging.stop() }
        let serving = try FakeBroker([.silence, .send(Self.hello)])
        defer { serving.stop() }
        // One that hangs in the middle of the set-up, one in the handshake, and the next attempt that is served.
        var configuration = try quickConfiguration(hanging.url)
        configuration.heartbeat = 1
        configuration.handshakeTimeout = .milliseconds(500)
        configuration.callTimeout = .milliseconds(500)
        configuration.endpoints.append(try AMQPURL(parsing: serving.url))
        let start = ContinuousClock.now
        let consumer = ConsumerProbe(configuration, [QueueSubscription(.existing("q"))])
        #expect(try await consumer.wait(for: 1, within: .seconds(15))[0].text == "hello")
        #expect(start.duration(to: .now) < .seconds(15))
    }

    @Test("L12: a server that accepts and says nothing costs one time limit")
    func givesUpOnSilence() async throws {
        let broker = try FakeBroker([.silence, .send(Self.hello)])
        defer { broker.stop() }
        var configuration = try quickConfiguration(broker.url)
        configuration.handshakeTimeout = .milliseconds(300)
        let consumer = ConsumerProbe(configuration, [QueueSubscription(.existing("q"))])
        let state = try await consumer.states.wait("unreachable") { if case .unreachable = $0 { true } else { false } }
        guard case .unreachable(let error, _) = state else { return }
        #expect(error.code == .timedOut)
        try await consumer.wait(for: 1)
    }

    @Test("L08: heartbeats that stop end the connection within three intervals")
    func noticesMissingHeartbeats() async throws {
        let broker = try FakeBroker([.silenceAfterHandshake])
        defer { broker.stop() }
        var configuration = try quickConfiguration(broker.url)
        configuration.heartbeat = 1
        configuration.callTimeout = .seconds(30)
        let start = ContinuousClock.now
        let consumer = ConsumerProbe(configuration, [QueueSubscription(.existing("q"))])
        let state = try await consumer.states.wait("unreachable") { if case .unreachable = $0 { true } else { false } }
        // Three intervals and what a busy machine adds; without heartbeats it would be the 30 s of the call.
        #expect(start.duration(to: .now) < .seconds(10))
        guard case .unreachable(let error, _) = state else { return }
        #expect(error.code == .heartbeatMissed)
        #expect(error.text.contains("127.0.0.1:\(broker.port)"))
    }
}
