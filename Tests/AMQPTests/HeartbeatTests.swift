// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TestSupport
import Testing

/// A real broker with a heartbeat of a second hangs up on whoever is silent for three.
@Suite(.timeLimit(.minutes(2))) struct HeartbeatTests {
    @Test("L08, B20, Report17: a handler of many intervals costs no connection")
    func outlivesLongHandlers() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            var configuration = try quickConfiguration(host.url)
            configuration.heartbeat = 1
            let publisher = PublisherProbe(configuration)
            try await publisher.send(["slow"], to: "q")
            let consumer = ConsumerProbe(configuration, [QueueSubscription(.existing("q"))])
            let held = try await consumer.wait(for: 1)
            // The handler at work; nothing is waited for.
            try await Task.sleep(for: TestEnvironment.runsLongTests ? .seconds(20) : .seconds(5))
            try await publisher.send(["next"], to: "q", from: 2)
            try await consumer.wait(for: 2)
            consumer.connection.acknowledge(held.map(\.tag) + consumer.received.dropFirst().map(\.tag))
            #expect(consumer.connection.close())
            #expect(try await host.messages(in: "q") == 0)
            #expect(consumer.states.all == [.connecting(attempt: 1), .ready, .closed])
            #expect(publisher.states.all == [.connecting(attempt: 1), .ready])
        }
    }
}
