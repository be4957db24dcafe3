// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TestSupport
import Testing

/// Publishing much at once, and publishing what cannot be published.
@Suite(.timeLimit(.minutes(2))) struct PublisherLoadTests {
    @Test("Report19: publishing from many threads while closing: an outcome each, and no hang")
    func closesWhileOthersPublish() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.waitReady()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 as Range<UInt64> {
                    group.addTask {
                        for number in 0..<125 as Range<UInt64> {
                            publisher.connection.publish([
                                Publication(id: task * 1000 + number, channel: .replies, routingKey: "q", body: [1])
                            ])
                            await Task.yield()
                        }
                    }
                }
                group.addTask {
                    try await publisher.wait(for: 100)
                    #expect(publisher.connection.close(within: .seconds(10)))
                }
                try await group.waitForAll()
            }
            let outcomes = publisher.received
            #expect(outcomes.count == 1000)
            #expect(Set(outcomes.map(\.id)).count == 1000)
            let confirmed = outcomes.count { $0.result == .confirmed }
            #expect(try await host.messages(in: "q") == confirmed)
        }
    }

    @Test("Report24: 10,000 publications on a channel that is closed are lost, and nothing is left of them")
    func losesWhatTheChannelCannotTake() async throws {
        try await VirtualHost.with { host in
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.waitReady()
            publisher.connection.publish(
                (1...10_000).map {
                    Publication(id: $0, channel: .notices, exchange: "missing", routingKey: "k", body: [1])
                })
            let outcomes = try await publisher.wait(for: 10_000)
            #expect(Set(outcomes.map(\.id)).count == 10_000)
            for outcome in outcomes {
                guard case .lost(let error) = outcome.result, error.code == .notFound else {
                    Issue.record("\(outcome)")
                    return
                }
            }
            // With anything left outstanding, the end would wait for it.
            #expect(publisher.connection.close(within: .seconds(5)))
            #expect(publisher.received.count == 10_000)
        }
    }

    @Test("B05: a sender's name that is not its own costs the channel, and is not passed on")
    func refusesForgedUsers() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            var forged = Publication(id: 1, channel: .replies, routingKey: "q", body: [])
            forged.properties.userID = "somebody-else"
            publisher.connection.publish([forged])
            guard case .lost(let error) = try await publisher.result(of: 1) else {
                Issue.record("not lost")
                return
            }
            #expect(error.code == .preconditionFailed)
            #expect(error.text.contains("user_id"))
            try await eventually(within: .seconds(5), "the channel again") { publisher.connection.state.isReady }
            try await publisher.send(["after"], to: "q", from: 2)
            #expect(try await host.messages(in: "q") == 1)
        }
    }

    @Test("L19: 20 MB in and 20 MB out at once, with acknowledgements in between")
    func readsAndWritesMuch() async throws {
        try await VirtualHost.with { host in
            let topology = try Topology(try quickConfiguration(host.url))
            for queue in ["a", "b"] { try topology.declareQueue(queue) }
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            func publish(_ ids: ClosedRange<UInt64>, to queue: String) {
                publisher.connection.publish(
                    ids.map {
                        Publication(
                            id: $0, channel: .replies, routingKey: queue, body: [UInt8](repeating: 1, count: 100_000))
                    })
            }
            publish(1...200, to: "a")
            try await publisher.wait(for: 200)
            let consumer = ConsumerProbe(
                try quickConfiguration(host.url),
                [QueueSubscription(.existing("a")), QueueSubscription(.existing("b"))], prefetch: 0)
            publish(201...400, to: "b")
            var settled = 0
            try await eventually(within: .seconds(15), "400 deliveries") {
                let received = consumer.received
                consumer.connection.acknowledge(received[settled...].map(\.tag))
                settled = received.count
                return settled == 400
            }
            #expect(try await publisher.wait(for: 400).allSatisfy { $0.result == .confirmed })
            #expect(consumer.connection.close())
            #expect(try await host.messages(in: "a") + host.messages(in: "b") == 0)
        }
    }
}
