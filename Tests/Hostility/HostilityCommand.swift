// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import FakeBroker
import Synchronization

/// Lets a broker that breaks the protocol in a new way on each connection have the client, for a sanitizer to watch.
///
/// `Hostility CONNECTIONS SEED` ends with 0 when both kinds of connection have survived all of it and then serve.
@main
struct HostilityCommand {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard numbers.count == 2, numbers[0] > 0 else { throw HostilityFailure("Hostility CONNECTIONS SEED") }
        var frames = HostileFrames(seed: UInt64(truncatingIfNeeded: numbers[1]))
        try await haveConsumer((0..<numbers[0]).map { _ in .sendAndHangUp(frames.forConsumer()) })
        try await havePublisher((0..<numbers[0]).map { _ in .sendAndHangUp(frames.forPublisher()) })
    }

    private static func haveConsumer(_ acts: [FakeBroker.Act]) async throws {
        let broker = try FakeBroker(acts + [.send(AMQPBytes.message(1, number: 1, "the end"))])
        defer { broker.stop() }
        let log = Log()
        let consumer = ConsumerConnection(
            configuration: try configuration(broker), queues: [QueueSubscription(.existing("q"))],
            onDeliveries: { log.add($0.map { "\($0.body)" }) }, onState: log.add)
        consumer.start()
        let end = "\(Delivery.Body.bytes(Array("the end".utf8)))"
        try await log.wait("the consumer") { log in log.contains(end) && broker.connections > acts.count }
        consumer.close(within: .seconds(5))
        print("consumer: \(broker.connections) connections, \(log.failures) failures")
    }

    /// It publishes as soon as it is ready, and the broker answers that.
    private static func havePublisher(_ acts: [FakeBroker.Act]) async throws {
        let acknowledgement = AMQPBytes.method(1, [0, 60, 0, 80], AMQPBytes.longLong(1) + [0])
        let broker = try FakeBroker(acts + [.send(acknowledgement)], after: [0, 60, 0, 40])
        defer { broker.stop() }
        let log = Log()
        let publisher = PublisherConnection(
            configuration: try configuration(broker), onOutcomes: { log.add($0.map { "\($0.result)" }) },
            onState: log.add)
        publisher.start()
        log.whenReady {
            publisher.publish([Publication(id: $0, channel: .replies, routingKey: "a", isMandatory: true, body: [1])])
        }
        try await log.wait("the publisher") { log in
            broker.connections > acts.count && log.last == "\(PublishOutcome.Result.confirmed)"
        }
        publisher.close(within: .seconds(5))
        print("publisher: \(broker.connections) connections, \(log.failures) failures")
    }

    private static func configuration(_ broker: FakeBroker) throws -> ConnectionConfiguration {
        var configuration = ConnectionConfiguration(
            endpoints: [try AMQPURL(parsing: broker.url)], connectionName: "hostility")
        configuration.backOff = BackOff(first: .milliseconds(1), longest: .milliseconds(4))
        return configuration
    }
}

struct HostilityFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
