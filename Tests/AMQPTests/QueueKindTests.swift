// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TestSupport
import Testing

/// Queues that are more than classic ones.
@Suite(.timeLimit(.minutes(1))) struct QueueKindTests {
    @Test("B06, B10, Report18: a quorum queue keeps to the prefetch over three reconnections, and counts deliveries")
    func keepsThePrefetch() async throws {
        try await VirtualHost.with { host in
            let topology = try Topology(try quickConfiguration(host.url))
            try topology.declareQueue("q", arguments: ["x-queue-type": .string("quorum")])
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.send((0..<20).map { "m\($0)" }, to: "q")
            try await host.withUser("prefetching") { user, url in
                let consumer = ConsumerProbe(
                    try quickConfiguration(url), [QueueSubscription(.existing("q"))], prefetch: 7)
                try await consumer.wait(for: 7)
                for round in 1...3 {
                    try await host.broker.management.call("DELETE", ["connections", "username", user])
                    let received = try await consumer.wait(for: 7 * (round + 1))
                    let latest = received.suffix(7)
                    #expect(Set(latest.map(\.text)) == Set((0..<7).map { "m\($0)" }))
                    #expect(latest.allSatisfy { $0.properties.headers["x-delivery-count"]?.integer == Int64(round) })
                }
                consumer.connection.acknowledge(consumer.received.suffix(7).map(\.tag))
                #expect(try await consumer.wait(for: 35).suffix(7).map(\.text) == (7..<14).map { "m\($0)" })
            }
        }
    }

    @Test("B09: a queue with a single active consumer serves one after the other, and refuses exclusiveness")
    func waitsForItsTurn() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue(
                "q", arguments: ["x-single-active-consumer": .boolean(true)])
            let exclusive = ConsumerProbe(
                try quickConfiguration(host.url), [QueueSubscription(.existing("q"), isExclusive: true)])
            let state = try await exclusive.states.wait("refused") { if case .incomplete = $0 { true } else { false } }
            guard case .incomplete(let errors) = state else { return }
            #expect(errors.map(\.code) == [.accessRefused])
            exclusive.connection.close()

            let first = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
            try await first.waitReady()
            let second = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
            try await second.waitReady()
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.send(["1"], to: "q")
            try await first.wait(for: 1)
            #expect(second.received.isEmpty)
            first.connection.close()
            #expect(try await second.wait(for: 1)[0].isRedelivered)
        }
    }
}
