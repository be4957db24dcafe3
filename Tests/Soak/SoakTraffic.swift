// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Synchronization

/// Messages that nobody keeps: by turns one to the queue `q`, which is consumed, and one to nowhere, which comes back.
final class SoakTraffic {
    private final class Counters: Sendable {
        let outcomes = Atomic<Int>(0)
        let deliveries = Atomic<Int>(0)
        let consumer = Mutex<ConsumerConnection?>(nil)
    }

    private let counters = Counters()
    private let consumer: ConsumerConnection
    private let publisher: PublisherConnection
    private var published = 0

    init(_ configuration: ConnectionConfiguration) {
        let counters = counters
        consumer = ConsumerConnection(
            configuration: configuration, queues: [QueueSubscription(.existing("q"))],
            onDeliveries: { deliveries in
                counters.deliveries.add(deliveries.count, ordering: .relaxed)
                counters.consumer.withLock { $0 }?.acknowledge(deliveries.map(\.tag))
            })
        publisher = PublisherConnection(
            configuration: configuration,
            onOutcomes: { counters.outcomes.add($0.count, ordering: .relaxed) })
        counters.consumer.withLock { [consumer] in $0 = consumer }
        consumer.start()
        publisher.start()
    }

    /// Whether both connections work.
    var isReady: Bool { consumer.state.isReady && publisher.state.isReady }

    /// Publishes up to a number, and waits until everything has come to its end.
    func run(to end: Int) async throws {
        try await wait("two connections") { isReady }
        while published < end {
            publisher.publish((published..<published + 500).map(message))
            published += 500
            try await wait("outcomes and deliveries") {
                outcomes > published - 1500 && deliveries > published / 2 - 1500
            }
        }
        try await wait("the last outcomes and deliveries") { outcomes == published && deliveries >= published / 2 }
    }

    /// Ends both connections.
    func close() {
        counters.consumer.withLock { $0 = nil }
        publisher.close()
        consumer.close()
    }

    private var outcomes: Int { counters.outcomes.load(ordering: .relaxed) }
    private var deliveries: Int { counters.deliveries.load(ordering: .relaxed) }

    private func message(_ number: Int) -> Publication {
        var properties = MessageProperties()
        properties.correlationID = Array(String(number).utf8)
        properties.headers = ["number": .integer(Int64(number))]
        return Publication(
            id: UInt64(number), channel: .replies, routingKey: number % 2 == 0 ? "q" : "nowhere", isMandatory: true,
            properties: properties, body: [UInt8](repeating: 1, count: 300))
    }

    private func wait(_ what: String, until holds: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !holds() {
            guard .now < end else { throw SoakFailure("\(what): not within a minute") }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
