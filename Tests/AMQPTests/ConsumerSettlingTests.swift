// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TestSupport
import Testing

/// What becomes of deliveries: settled once, whichever thread says so, and held where consuming stops for a while.
@Suite(.timeLimit(.minutes(2))) struct ConsumerSettlingTests {
    @Test("Settled once: what is acknowledged is gone, what is not comes back, old tags change nothing")
    func settlesExactly() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.send((0..<10).map { "m\($0)" }, to: "q")
            let first = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
            let deliveries = try await first.wait(for: 10)
            #expect(deliveries.map(\.text) == (0..<10).map { "m\($0)" })
            first.connection.acknowledge(deliveries[0..<4].map(\.tag))
            first.connection.acknowledge([deliveries[6].tag, deliveries[6].tag])
            first.connection.reject([deliveries[5].tag, deliveries[6].tag], requeue: false)
            #expect(first.connection.close())
            #expect(first.connection.state == .closed)

            let second = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
            let again = try await second.wait(for: 4)
            #expect(again.map(\.text) == ["m4", "m7", "m8", "m9"])
            second.connection.acknowledge(deliveries.map(\.tag))
            #expect(again.allSatisfy { $0.isRedelivered })
            second.connection.close()
            #expect(try await host.messages(in: "q") == 4)
        }
    }

    @Test("L10, Report06: any thread may settle, suspend and resume, all at once")
    func takesCommandsFromAnyThread() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.send((0..<4000).map { "m\($0)" }, to: "q")
            let consumer = ConsumerProbe(
                try quickConfiguration(host.url), [QueueSubscription(.existing("q"))], prefetch: 500)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var settled = 0
                        try await eventually(within: .seconds(20), "4000 deliveries") {
                            let received = consumer.received
                            for delivery in received[settled...] {
                                if delivery.text.utf8.count % 2 == 0 {
                                    consumer.connection.acknowledge([delivery.tag])
                                } else {
                                    consumer.connection.reject([delivery.tag], requeue: false)
                                }
                            }
                            settled = received.count
                            consumer.connection.suspend()
                            consumer.connection.resume()
                            return settled == 4000
                        }
                    }
                }
                try await group.waitForAll()
            }
            consumer.connection.close()
            #expect(try await host.messages(in: "q") == 0)
            #expect(consumer.received.count == 4000)
        }
    }

    @Test("Suspended: no consumer, what was prefetched stays and is settled; resumed: as before")
    func suspendsAndResumes() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.send(["1", "2", "3"], to: "q")
            let consumer = ConsumerProbe(
                try quickConfiguration(host.url), [QueueSubscription(.existing("q"))], prefetch: 2)
            let held = try await consumer.wait(for: 2)
            consumer.connection.suspend()
            try await consumer.states.wait("suspended") { $0 == .suspended }
            consumer.connection.acknowledge(held.map(\.tag))
            try await publisher.send(["4"], to: "q", from: 10)
            try await eventually(within: .seconds(10), "two messages ready") {
                try await host.messages(in: "q") == 2
            }
            #expect(consumer.received.count == 2)
            let before = consumer.states.all.count
            consumer.connection.resume()
            try await consumer.states.wait(after: before, "ready") { $0.isReady }
            #expect(try await consumer.wait(for: 4).map(\.text) == ["1", "2", "3", "4"])
        }
    }
}
