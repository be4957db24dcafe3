// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Foundation
import TestSupport
import Testing

/// Both connections closed by an operator, over and over, while messages flow.
@Suite(.timeLimit(.minutes(1))) struct ForcedCloseTests {
    @Test("Report21, Report26: closed 10 times under load: every confirmed message arrives, and consuming goes on")
    func losesNothing() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            try await host.withUser("closed") { user, url in
                let publisher = PublisherProbe(try quickConfiguration(url))
                let consumer = ConsumerProbe(
                    try quickConfiguration(url), [QueueSubscription(.existing("q"))], prefetch: 50)
                try await publisher.waitReady()

                let traffic = Task {
                    var published: UInt64 = 0
                    var settled = 0
                    while !Task.isCancelled {
                        if publisher.connection.state.isReady {
                            publisher.connection.publish(
                                (published..<published + 10).map { id in
                                    Publication(
                                        id: id, channel: id % 2 == 0 ? .replies : .notices, routingKey: "q",
                                        body: Array(String(id).utf8))
                                })
                            published += 10
                        }
                        let received = consumer.received
                        consumer.connection.acknowledge(received[settled...].map(\.tag))
                        settled = received.count
                        // The pace of the load; nothing is waited for.
                        try? await Task.sleep(for: .milliseconds(5))
                    }
                    return published
                }
                for round in 0..<10 {
                    let (seen, before) = (publisher.received.count, consumer.received.count)
                    try await host.broker.management.call("DELETE", ["connections", "username", user])
                    try await eventually(within: .seconds(10), "traffic after closing \(round)") {
                        publisher.received.count > seen + 100 && consumer.received.count > before + 50
                    }
                }
                traffic.cancel()
                let published = await traffic.value
                let outcomes = try await publisher.wait(for: Int(published))
                #expect(outcomes.count == Int(published), "one outcome each")
                let confirmed = Set(outcomes.filter { $0.result == .confirmed }.map(\.id))
                // Most of them where the machine has time; where it has none, closings are noticed late and take more along.
                #expect(confirmed.count > Int(published) / 20)
                try await eventually(within: .seconds(10), "every confirmed message") {
                    consumer.connection.acknowledge(consumer.received.map(\.tag))
                    return confirmed.isSubset(of: consumer.received.compactMap { UInt64($0.text) })
                }
                try await eventually(within: .seconds(10), "an empty queue") {
                    consumer.connection.acknowledge(consumer.received.map(\.tag))
                    return try await host.messages(in: "q") == 0
                }
                let again = consumer.received.filter { $0.isRedelivered }.count
                #expect(again <= 10 * 50, "no more than what was on its way at each closing")
            }
        }
    }
}
