// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TestSupport
import Testing

/// Consuming from a real broker; what is in a queue is put there, and looked at, over its management API.
@Suite(.timeLimit(.minutes(2))) struct ConsumerTests {
    @Test func readsPropertiesThatAnotherClientWrote() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let properties = """
                {"content_type":"application/json","content_encoding":"gzip","type":"t","reply_to":"r",
                 "correlation_id":"c","message_id":"m","user_id":"guest","app_id":"a","timestamp":1790000000,
                 "expiration":"60000","priority":3,"delivery_mode":2,
                 "headers":{"text":"é","number":-7,"flag":true,"list":["x",{"y":1}]}}
                """
            try await host.publish(to: "q", "body", properties: properties)
            let consumer = ConsumerProbe(
                try quickConfiguration(host.url), [QueueSubscription(.existing("q"), consumerTag: "tag-1")])
            let delivery = try await consumer.wait(for: 1)[0]
            var expected = MessageProperties()
            expected.contentType = "application/json"
            expected.contentEncoding = "gzip"
            expected.type = "t"
            expected.replyTo = "r"
            expected.correlationID = [UInt8(ascii: "c")]
            expected.messageID = "m"
            expected.userID = "guest"
            expected.appID = "a"
            expected.timestamp = 1_790_000_000
            expected.expiration = 60_000
            expected.priority = 3
            expected.isPersistent = true
            expected.headers = delivery.properties.headers
            #expect(delivery.properties == expected)
            let headers = delivery.properties.headers
            #expect(headers["text"]?.text == "é")
            #expect(headers["number"]?.integer == -7)
            #expect(headers["flag"] == .boolean(true))
            #expect(headers["list"] == .array([.string("x"), .table(["y": .integer(1)])]))
            #expect(delivery.text == "body")
            #expect(delivery.exchange == "")
            #expect(delivery.routingKey == "q")
            #expect(!delivery.isRedelivered)
            let tags = try await firstAnswer(within: .seconds(10), "a consumer in the API") {
                let consumers = try await host.consumers()
                return consumers.isEmpty ? nil : consumers.map(\.consumerTag)
            }
            #expect(tags == ["tag-1"])
            #expect(try await host.consumers().map(\.prefetchCount) == [250])
        }
    }

    @Test("B17, B22: the connection has a name, announces what it can, and tells the broker's version")
    func announcesItself() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            var configuration = try quickConfiguration(host.url, name: "worker host/1 intake")
            configuration.clientProperties = ["product": .string("some product"), "version": .string("9.9")]
            let consumer = ConsumerProbe(configuration, [QueueSubscription(.existing("q"))])
            try await consumer.waitReady()
            let properties = try await host.connection(named: "worker host/1 intake").clientProperties
            #expect(properties.product == "some product")
            #expect(properties.version == "9.9")
            #expect(
                properties.capabilities == [
                    "consumer_cancel_notify": true, "connection.blocked": true, "publisher_confirms": true,
                    "basic.nack": true, "authentication_failure_close": true, "exchange_exchange_bindings": true,
                ])
            #expect(consumer.connection.broker?.product == "RabbitMQ")
            #expect(consumer.connection.broker?.version.isEmpty == false)
        }
    }

    @Test("L18: a body over the limit is reported by its size, and the next message served")
    func skipsLargeBodies() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            publisher.connection.publish([
                Publication(
                    id: 1, channel: .replies, routingKey: "q", body: [UInt8](repeating: 1, count: 3_000_000)),
                Publication(
                    id: 2, channel: .replies, routingKey: "q", body: [UInt8](repeating: 2, count: 1 << 20)),
            ])
            let consumer = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
            let deliveries = try await consumer.wait(for: 2)
            #expect(deliveries[0].body == .tooLarge(3_000_000))
            #expect(deliveries[1].body == .bytes([UInt8](repeating: 2, count: 1 << 20)))
            consumer.connection.reject([deliveries[0].tag], requeue: false)
            consumer.connection.acknowledge([deliveries[1].tag])
            consumer.connection.close()
            #expect(try await host.messages(in: "q") == 0)
        }
    }
}
