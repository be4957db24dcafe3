// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Foundation
import TestSupport
import Testing

/// The documentation's first steps, which must compile.
@Suite struct GettingStartedTests {
    private struct Work {
        func append(_ deliveries: [Delivery]) {}
        func next() -> [Delivery] { [] }
    }

    /// Never called: there is no broker at the documented address.
    private func steps(_ work: Work, handle: ([UInt8]) -> Void) throws {
        let broker = try AMQPURL(parsing: "amqp://guest:guest@localhost")
        let configuration = ConnectionConfiguration(endpoints: [broker], connectionName: "example")
        try Topology(configuration).declareQueue("greetings", arguments: ["x-queue-type": .string("quorum")])

        let publisher = PublisherConnection(
            configuration: configuration,
            onOutcomes: { outcomes in
                for outcome in outcomes where outcome.result != .confirmed {
                    print("\(outcome.id): \(outcome.result)")
                }
            },
            onState: { print("publisher: \($0)") })
        publisher.start()

        var properties = MessageProperties()
        properties.isPersistent = true
        publisher.publish([
            Publication(
                id: 1, channel: .notices, routingKey: "greetings", isMandatory: true, properties: properties,
                body: Array("hello".utf8))
        ])

        let consumer = ConsumerConnection(
            configuration: configuration, queues: [QueueSubscription(.existing("greetings"))],
            onDeliveries: { deliveries in work.append(deliveries) })
        consumer.start()

        // On another thread:
        for delivery in work.next() {
            guard case .bytes(let body) = delivery.body else {
                consumer.reject([delivery.tag], requeue: false)
                continue
            }
            handle(body)
            consumer.acknowledge([delivery.tag])
        }

        consumer.suspend()
        // Finish and acknowledge what was delivered.
        publisher.close(within: .seconds(5))
        consumer.close(within: .seconds(5))
    }

    @Test func theDocumentedStepsAreTheseHere() throws {
        func lines(_ text: String) -> [String] {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        let path = "\(TestEnvironment.root)/Sources/AMQP/AMQP.docc/GettingStarted.md"
        let article = try String(contentsOfFile: path, encoding: .utf8)
        let documented = article.components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 }.flatMap { lines($0.element).dropFirst() }
        let compiled = Set(lines(try String(contentsOfFile: #filePath, encoding: .utf8)))
        #expect(documented.count > 30)
        for line in documented { #expect(compiled.contains(line), "\(line) is not compiled") }
    }
}
