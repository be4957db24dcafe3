// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Foundation
import Synchronization
import TestSupport
import Testing

/// What connections cost, measured in processes of their own.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ResourceTests {
    @Test("L05, L07, Report05: returns, confirms and deliveries by the thousands leave the memory as it was")
    func keepsItsMemory() async {
        let process = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let isLong = TestEnvironment.runsLongTests
            let growth = try await Traffic.growth(
                warmUp: isLong ? 100_000 : 20_000, total: isLong ? 3_000_000 : 60_000)
            print("\(growth) bytes more at the end")
            guard growth < 5_000_000 else { throw TestFailure("the memory grew by \(growth) bytes") }
        }
        print(String(decoding: process?.standardOutputContent ?? [], as: UTF8.self))
    }

    @Test("Report31: less than 2 % of a core while idle, and while the broker is away")
    func rests() async {
        let process = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let time: Duration = TestEnvironment.runsLongTests ? .seconds(60) : .seconds(4)
            let away = try quickConfiguration("amqp://127.0.0.1:1")
            var patient = away
            patient.backOff = BackOff()
            let lost = [PublisherProbe(patient), PublisherProbe(patient)]
            try await Traffic.expectRest(for: time, "without a broker")
            for probe in lost { probe.connection.close() }
            try await VirtualHost.with { host in
                try Topology(try quickConfiguration(host.url)).declareQueue("q")
                let consumer = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
                let publisher = PublisherProbe(try quickConfiguration(host.url))
                try await publisher.waitReady()
                try await consumer.waitReady()
                try await Traffic.expectRest(for: time, "idle")
            }
        }
        print(String(decoding: process?.standardOutputContent ?? [], as: UTF8.self))
    }
}

/// Messages that nobody keeps.
private enum Traffic {
    private final class Counters: Sendable {
        let outcomes = Atomic<Int>(0)
        let deliveries = Atomic<Int>(0)
        let consumer = Mutex<ConsumerConnection?>(nil)
    }

    /// Publishes one message to a queue and one to nowhere by turns, consumes, and compares resident memory.
    static func growth(warmUp: Int, total: Int) async throws -> Int {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let counters = Counters()
            let consumer = ConsumerConnection(
                configuration: try quickConfiguration(host.url), queues: [QueueSubscription(.existing("q"))],
                onDeliveries: { deliveries in
                    counters.deliveries.add(deliveries.count, ordering: .relaxed)
                    counters.consumer.withLock { $0 }?.acknowledge(deliveries.map(\.tag))
                })
            counters.consumer.withLock { $0 = consumer }
            consumer.start()
            let publisher = PublisherConnection(configuration: try quickConfiguration(host.url)) { outcomes in
                counters.outcomes.add(outcomes.count, ordering: .relaxed)
            }
            publisher.start()
            try await eventually(within: .seconds(10), "ready") { publisher.state.isReady && consumer.state.isReady }
            var published = 0
            func run(to end: Int) async throws {
                while published < end {
                    publisher.publish(
                        (0..<500).map { offset in
                            var properties = MessageProperties()
                            properties.correlationID = Array(String(published + offset).utf8)
                            properties.headers = ["number": .integer(Int64(offset))]
                            return Publication(
                                id: UInt64(published + offset), channel: .replies,
                                routingKey: offset % 2 == 0 ? "q" : "nowhere", isMandatory: true,
                                properties: properties, body: [UInt8](repeating: 1, count: 300))
                        })
                    published += 500
                    try await eventually(within: .seconds(60), "outcomes and deliveries") {
                        counters.outcomes.load(ordering: .relaxed) > published - 1500
                            && counters.deliveries.load(ordering: .relaxed) > published / 2 - 1500
                    }
                }
                try await eventually(within: .seconds(60), "all outcomes and deliveries") {
                    counters.outcomes.load(ordering: .relaxed) == published
                        && counters.deliveries.load(ordering: .relaxed) >= published / 2
                }
            }
            try await run(to: warmUp)
            let before = try residentBytes()
            try await run(to: total)
            let growth = try residentBytes() - before
            counters.consumer.withLock { $0 = nil }
            publisher.close()
            consumer.close()
            return growth
        }
    }

    /// Waits, and throws when this process has used more than 2 % of a core meanwhile.
    static func expectRest(for time: Duration, _ what: String) async throws {
        let before = clock()
        try await Task.sleep(for: time)
        let used = Double(clock() - before) / Double(CLOCKS_PER_SEC)
        print("\(what): \(used) s of CPU time in \(time)")
        guard used < (time / .seconds(1)) * 0.02 else {
            throw TestFailure("\(what): \(used) s of CPU time in \(time)")
        }
    }

    private static func residentBytes() throws -> Int {
        let fields = String(
            decoding: FileManager.default.contents(atPath: "/proc/self/statm") ?? Data(), as: UTF8.self
        ).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw TestFailure("no statm") }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
