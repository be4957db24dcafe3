// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TestSupport
import Testing

/// Connections that cannot be had, and one that is closed under the consumer.
@Suite(.timeLimit(.minutes(2))) struct ConsumerRecoveryTests {
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
}
