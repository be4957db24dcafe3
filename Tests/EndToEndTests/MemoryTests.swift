// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Synchronization
import TestSupport
import Testing

/// A worker that has served for long is no larger than one that has served for a while.
@Suite(.timeLimit(.minutes(60)))
struct MemoryTests {
    private final class Replies: Sendable {
        let count = Atomic<Int>(0)
        let consumer = Mutex<ConsumerConnection?>(nil)
    }

    @Test("The memory that 200 waiting messages of 1 MB took is given back")
    func largeMessages() async throws {
        try await Scene.with { scene in
            let published = Replies()
            let publisher = PublisherConnection(
                configuration: ConnectionConfiguration(
                    endpoints: [try AMQPURL(parsing: scene.host.url)], connectionName: "large messages"),
                onOutcomes: { published.count.add($0.count, ordering: .relaxed) })
            publisher.start()
            defer { publisher.close() }
            try await eventually(within: .seconds(10), "ready") { publisher.state.isReady }
            let body = [UInt8](repeating: 0x20, count: 1_000_000)
            for round in 0..<20 {
                // Without a reply_to they go to the dead letters whole.
                publisher.publish(
                    (1...10).map { number in
                        Publication(
                            id: UInt64(round * 10 + number), channel: .notices, exchange: "agora.tokens",
                            routingKey: "request", body: body)
                    })
                try await eventually(within: .seconds(30), "published") {
                    published.count.load(ordering: .relaxed) == (round + 1) * 10
                }
            }
            let worker = try scene.worker()
            let driver = try await Driver(url: scene.host.url)
            try await eventually(within: .seconds(60), "dead letters\n\(worker.log.suffix(2000))") {
                try await driver.look(at: "agora.tokens.dead").messages == 200
            }
            try await eventually(within: .seconds(20), "\(worker.residentBytes ?? 0) bytes resident") {
                worker.residentBytes.map { $0 < 60_000_000 } ?? false
            }
            #expect(try await worker.stop() == .code(0))
        }
    }

    @Test("Report05: the memory stays the same, over 3 million messages in the long form")
    func staysTheSame() async throws {
        let isLong = TestEnvironment.runsLongTests
        let (warmUp, total) = isLong ? (100_000, 3_000_000) : (6_000, 18_000)
        try await Scene.withWorker { scene, worker in
            let configuration = ConnectionConfiguration(
                endpoints: [try AMQPURL(parsing: scene.host.url)], connectionName: "many requests")
            let replies = Replies()
            let consumer = ConsumerConnection(
                configuration: configuration, queues: [QueueSubscription(.temporary(bindings: []))],
                onDeliveries: { deliveries in
                    replies.count.add(deliveries.count, ordering: .relaxed)
                    replies.consumer.withLock { $0 }?.acknowledge(deliveries.map(\.tag))
                })
            replies.consumer.withLock { $0 = consumer }
            let publisher = PublisherConnection(configuration: configuration, onOutcomes: { _ in })
            consumer.start()
            publisher.start()
            try await eventually(within: .seconds(10), "both ready") {
                consumer.state.isReady && publisher.state.isReady
            }
            let queue = try #require(consumer.queueNames[0])
            var sent = 0
            func ask(upTo end: Int) async throws {
                while sent < end {
                    publisher.publish(
                        (sent..<sent + 500).map { number in
                            var properties = MessageProperties()
                            properties.replyTo = queue
                            properties.correlationID = Array(String(number).utf8)
                            properties.messageID = "m-\(number)"
                            return Publication(
                                id: UInt64(number), channel: .notices, exchange: "agora.tokens",
                                routingKey: "request", properties: properties,
                                body: Array(#"{"channelName":"test","uid":\#(number + 1),"notify":false}"#.utf8))
                        })
                    sent += 500
                    try await eventually(within: .seconds(60), "replies\n\(worker.log.suffix(2000))") {
                        replies.count.load(ordering: .relaxed) > sent - 2000
                    }
                }
                try await eventually(within: .seconds(60), "all replies\n\(worker.log.suffix(2000))") {
                    replies.count.load(ordering: .relaxed) == end
                }
            }
            try await ask(upTo: warmUp)
            let before = try #require(worker.residentBytes)
            let start = ContinuousClock.now
            try await ask(upTo: total)
            let rate = Double(total - warmUp) / (start.duration(to: .now) / .seconds(1))
            let growth = try #require(worker.residentBytes) - before
            print("\(total) messages, \(Int(rate)) a second: \(before) bytes resident, \(growth) more at the end")
            #expect(growth < 5_000_000)
            replies.consumer.withLock { $0 = nil }
            publisher.close()
            consumer.close()
        }
    }
}
