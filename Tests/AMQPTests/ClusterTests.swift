// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Foundation
import Synchronization
import TestSupport
import Testing

/// Three nodes with a quorum queue, which die and come back under load.
@Suite(.enabled(if: TestEnvironment.runsLongTests, "takes minutes"), .timeLimit(.minutes(15)))
struct ClusterTests {
    /// Publishes and consumes for as long as it lives, and keeps count.
    private final class Traffic: Sendable {
        private struct Counts {
            var published: UInt64 = 0
            var outstanding = 0
            var confirmed: Set<UInt64> = []
            var lost = 0
            var received: Set<UInt64> = []
            var lastConfirm = ContinuousClock.now
            var lastDelivery = ContinuousClock.now
            var longestConfirmPause = Duration.zero
            var longestDeliveryPause = Duration.zero
        }

        private let counts = Mutex(Counts())

        func took(_ outcomes: [PublishOutcome]) {
            counts.withLock { counts in
                counts.outstanding -= outcomes.count
                let confirmed = outcomes.filter { $0.result == .confirmed }
                counts.lost += outcomes.count - confirmed.count
                guard !confirmed.isEmpty else { return }
                counts.confirmed.formUnion(confirmed.map(\.id))
                counts.longestConfirmPause = max(counts.longestConfirmPause, .now - counts.lastConfirm)
                counts.lastConfirm = .now
            }
        }

        func took(_ deliveries: [Delivery]) {
            counts.withLock { counts in
                counts.received.formUnion(deliveries.compactMap { UInt64($0.text) })
                counts.longestDeliveryPause = max(counts.longestDeliveryPause, .now - counts.lastDelivery)
                counts.lastDelivery = .now
            }
        }

        /// The next publications, up to 200 outstanding.
        func next() -> [Publication] {
            counts.withLock { counts in
                let count = max(0, 200 - counts.outstanding)
                let first = counts.published
                counts.published += UInt64(count)
                counts.outstanding += count
                return (first..<counts.published).map { id in
                    var properties = MessageProperties()
                    properties.isPersistent = true
                    return Publication(
                        id: id, channel: .replies, routingKey: "q", isMandatory: true, properties: properties,
                        body: Array(String(id).utf8))
                }
            }
        }

        var confirmed: Int { counts.withLock { $0.confirmed.count } }
        var received: Int { counts.withLock { $0.received.count } }
        var outstanding: Int { counts.withLock { $0.outstanding } }
        var missing: Set<UInt64> { counts.withLock { $0.confirmed.subtracting($0.received) } }

        /// The longest pauses since the last call, as text.
        func pauses() -> String {
            counts.withLock { counts in
                let text = "confirms \(counts.longestConfirmPause), deliveries \(counts.longestDeliveryPause)"
                (counts.longestConfirmPause, counts.longestDeliveryPause) = (.zero, .zero)
                return text
            }
        }
    }

    @Test("The leader's node is killed under load, then each node restarted in turn: nothing confirmed is lost")
    func survivesItsNodes() async throws {
        let cluster = try await PrivateCluster()
        var configuration = try quickConfiguration(cluster.urls[0])
        configuration.heartbeat = 5
        configuration.endpoints = try cluster.urls.map { try AMQPURL(parsing: $0) }
        try Topology(configuration).declareQueue(
            "q", arguments: ["x-queue-type": .string("quorum"), "x-quorum-initial-group-size": .integer(3)])

        let traffic = Traffic()
        let consumer = Mutex<ConsumerConnection?>(nil)
        let publisher = PublisherConnection(configuration: configuration, onOutcomes: { traffic.took($0) })
        let intake = ConsumerConnection(
            configuration: configuration, queues: [QueueSubscription(.existing("q"))],
            onDeliveries: { deliveries in
                traffic.took(deliveries)
                consumer.withLock { $0 }?.acknowledge(deliveries.map(\.tag))
            })
        consumer.withLock { $0 = intake }
        publisher.start()
        intake.start()
        let load = Task {
            while !Task.isCancelled {
                if publisher.state.isReady { publisher.publish(traffic.next()) }
                // The pace of the load; nothing is waited for.
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
        func flows(_ after: String) async throws {
            let (confirmed, received) = (traffic.confirmed, traffic.received)
            try await eventually(within: .seconds(60), "traffic after \(after)") {
                traffic.confirmed > confirmed + 1000 && traffic.received > received + 1000
            }
        }
        try await flows("the start")
        _ = traffic.pauses()

        let leader = try await cluster.leader(of: "q")
        try await leader.kill()
        try await flows("the leader's death")
        print("leader killed: longest pauses: \(traffic.pauses())")
        try await leader.start()
        try await flows("its return")
        for (index, node) in cluster.nodes.enumerated() {
            try await node.stop()
            try await flows("the stop of node \(index + 1)")
            try await node.start()
            try await flows("the start of node \(index + 1)")
            print("node \(index + 1) restarted: longest pauses: \(traffic.pauses())")
        }
        load.cancel()
        await load.value
        try await eventually(within: .seconds(60), "every confirmed message") {
            traffic.outstanding == 0 && traffic.missing.isEmpty
        }
        print("\(traffic.confirmed) confirmed, \(traffic.received) received, \(traffic.missing.count) missing")
        consumer.withLock { $0 = nil }
        publisher.close()
        intake.close()
        try await cluster.remove()
    }
}
