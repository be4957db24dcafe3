// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Synchronization
import TestSupport

/// Remembers the states that a connection went through.
final class StateLog: Sendable {
    private let states = Mutex<[ConnectionState]>([])

    func add(_ state: ConnectionState) {
        states.withLock { $0.append(state) }
    }

    var all: [ConnectionState] { states.withLock { $0 } }

    /// Waits for a state that was reported after the first `skipped` ones.
    @discardableResult
    func wait(
        within limit: Duration = .seconds(10), after skipped: Int = 0, _ what: String,
        for matches: @Sendable (ConnectionState) -> Bool
    ) async throws -> ConnectionState {
        try await firstAnswer(within: limit, "\(what), instead of \(all)") {
            all.dropFirst(skipped).first(where: matches)
        }
    }
}

/// A consumer that keeps what it gets.
final class ConsumerProbe: Sendable {
    let states = StateLog()
    let connection: ConsumerConnection
    private let deliveries: Deliveries

    private final class Deliveries: Sendable {
        let all = Mutex<[Delivery]>([])
    }

    init(
        _ configuration: ConnectionConfiguration, _ queues: [QueueSubscription], prefetch: UInt16 = 250,
        exclusiveOwnerQueue: String? = nil
    ) {
        let deliveries = Deliveries()
        let states = states
        self.deliveries = deliveries
        connection = ConsumerConnection(
            configuration: configuration, queues: queues, prefetch: prefetch,
            exclusiveOwnerQueue: exclusiveOwnerQueue,
            onDeliveries: { new in deliveries.all.withLock { $0 += new } }, onState: states.add)
        connection.start()
    }

    deinit {
        connection.close(within: .seconds(2))
    }

    var received: [Delivery] { deliveries.all.withLock { $0 } }

    func waitReady() async throws {
        try await states.wait("the consumer is ready") { $0.isReady }
    }

    /// Waits until a number of deliveries have come, and returns all.
    @discardableResult
    func wait(for count: Int, within limit: Duration = .seconds(10)) async throws -> [Delivery] {
        try await firstAnswer(within: limit, "\(count) deliveries, instead of \(received.count), with \(states.all)") {
            received.count >= count ? received : nil
        }
    }
}

/// A publisher that keeps the outcomes.
final class PublisherProbe: Sendable {
    let states = StateLog()
    let connection: PublisherConnection
    private let outcomes: Outcomes

    private final class Outcomes: Sendable {
        let all = Mutex<[PublishOutcome]>([])
    }

    init(_ configuration: ConnectionConfiguration) {
        let outcomes = Outcomes()
        let states = states
        self.outcomes = outcomes
        connection = PublisherConnection(
            configuration: configuration, onOutcomes: { new in outcomes.all.withLock { $0 += new } },
            onState: states.add)
        connection.start()
    }

    deinit {
        connection.close(within: .seconds(2))
    }

    var received: [PublishOutcome] { outcomes.all.withLock { $0 } }

    func waitReady() async throws {
        try await states.wait("the publisher is ready") { $0.isReady }
    }

    func result(of id: UInt64, within limit: Duration = .seconds(10)) async throws -> PublishOutcome.Result {
        try await firstAnswer(within: limit, "an outcome of \(id)") { received.first { $0.id == id }?.result }
    }

    /// Waits until a number of outcomes have come, and returns all.
    @discardableResult
    func wait(for count: Int, within limit: Duration = .seconds(10)) async throws -> [PublishOutcome] {
        try await firstAnswer(within: limit, "\(count) outcomes, instead of \(received.count)") {
            received.count >= count ? received : nil
        }
    }

    /// Publishes texts to a queue and waits until they are confirmed.
    func send(_ texts: [String], to queue: String, from first: UInt64 = 1) async throws {
        let known = received.count
        connection.publish(
            texts.enumerated().map { index, text in
                Publication(
                    id: first + UInt64(index), channel: .replies, routingKey: queue, body: Array(text.utf8))
            })
        let outcomes = try await wait(for: known + texts.count).suffix(texts.count)
        guard outcomes.allSatisfy({ $0.result == .confirmed }) else { throw TestFailure("\(outcomes)") }
    }
}

extension Delivery {
    /// The body as text.
    var text: String {
        guard case .bytes(let bytes) = body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A configuration that is quick to notice and to try again.
func quickConfiguration(_ url: String, name: String = "test") throws -> ConnectionConfiguration {
    var configuration = ConnectionConfiguration(endpoints: [try AMQPURL(parsing: url)], connectionName: name)
    configuration.backOff = BackOff(first: .milliseconds(50), longest: .milliseconds(500))
    return configuration
}

/// Keeps the numbers of outcomes.
final class OutcomeBox: Sendable {
    private let outcomes = Mutex<[PublishOutcome]>([])

    func add(_ new: [PublishOutcome]) {
        outcomes.withLock { $0 += new }
    }

    var ids: [UInt64] { outcomes.withLock { $0.map(\.id) } }
}
