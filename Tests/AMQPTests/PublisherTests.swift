// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct PublisherTests {
    @Test func writesPropertiesThatAnotherClientReads() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            var properties = MessageProperties()
            properties.contentType = "application/json"
            properties.contentEncoding = "identity"
            properties.type = "t"
            properties.replyTo = "r"
            properties.correlationID = Array("c".utf8)
            properties.messageID = "m"
            properties.userID = "guest"
            properties.appID = "a"
            properties.timestamp = 1_790_000_000
            properties.expiration = 4_000_000_000
            properties.priority = 3
            properties.isPersistent = true
            properties.headers = [
                "text": .string("é"), "number": .integer(-7), "flag": .boolean(true),
                "list": .array([.string("x"), .table(["y": .integer(1)])]),
            ]
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            publisher.connection.publish([
                Publication(
                    id: 1, channel: .replies, routingKey: "q", properties: properties, body: [0, 255, 10])
            ])
            #expect(try await publisher.result(of: 1) == .confirmed)
            let message = try #require(try await host.get(from: "q"))
            #expect(message.payload == "AP8K")
            #expect(
                message.properties == """
                    {"app_id":"a","content_encoding":"identity","content_type":"application/json",\
                    "correlation_id":"c","delivery_mode":2,"expiration":"4000000000",\
                    "headers":{"flag":true,"list":["x",{"y":1}],"number":-7,"text":"é"},\
                    "message_id":"m","priority":3,"reply_to":"r","timestamp":1790000000,"type":"t","user_id":"guest"}
                    """)
        }
    }

    @Test("Correlation ids travel byte for byte")
    func keepsBytes() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let consumer = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            let ids: [[UInt8]] = [[], [0], [0xff, 0xfe, 0], [UInt8](repeating: 0x80, count: 255)]
            publisher.connection.publish(
                ids.enumerated().map { index, id in
                    var properties = MessageProperties()
                    properties.correlationID = id
                    return Publication(
                        id: UInt64(index), channel: .replies, routingKey: "q", properties: properties, body: [])
                })
            #expect(try await consumer.wait(for: 4).map(\.properties.correlationID) == ids)
        }
    }

    @Test("B02: confirmed, returned and confirmed, each to its own publication")
    func tellsConfirmedFromReturned() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            publisher.connection.publish(
                (0..<300).map { number in
                    Publication(
                        id: number, channel: number % 2 == 0 ? .replies : .notices,
                        routingKey: number % 3 == 0 ? "nowhere" : "q", isMandatory: number % 5 != 0, body: [1])
                })
            let outcomes = try await publisher.wait(for: 300)
            #expect(Set(outcomes.map(\.id)) == Set(0..<300))
            let returned = Set(
                outcomes.filter { $0.result == .returned(code: 312, text: "NO_ROUTE") }.map(\.id))
            #expect(returned == Set((0..<300).filter { $0 % 3 == 0 && $0 % 5 != 0 }))
            #expect(outcomes.count { $0.result == .confirmed } == 300 - returned.count)
        }
    }

    @Test("B12: a full queue refuses")
    func tellsNacks() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue(
                "q", arguments: ["x-max-length": .integer(2), "x-overflow": .string("reject-publish")])
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            publisher.connection.publish(
                (1...4).map { Publication(id: $0, channel: .replies, routingKey: "q", body: []) })
            let outcomes = try await publisher.wait(for: 4)
            #expect(outcomes.sorted { $0.id < $1.id }.map(\.result) == [.confirmed, .confirmed, .nacked, .nacked])
        }
    }

    @Test("L14, L16: what cannot travel is refused alone, and the connection lives on")
    func refusesInvalid() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            var long = Publication(id: 2, channel: .replies, routingKey: "q", body: [])
            long.properties.correlationID = [UInt8](repeating: 1, count: 399)
            var huge = Publication(id: 3, channel: .replies, routingKey: "q", body: [])
            huge.properties.headers = ["stack": .string(String(repeating: "x", count: 140_000))]
            var largest = Publication(id: 5, channel: .replies, routingKey: "q", body: [])
            largest.properties.headers = ["h": .string(String(repeating: "x", count: 130_900))]
            publisher.connection.publish([
                Publication(id: 1, channel: .replies, routingKey: "q", body: []), long, huge,
                Publication(id: 4, channel: .replies, routingKey: "q", body: []), largest,
            ])
            for id: UInt64 in [1, 4, 5] { #expect(try await publisher.result(of: id) == .confirmed) }
            for id: UInt64 in [2, 3] {
                guard case .invalid = try await publisher.result(of: id) else {
                    Issue.record("publication \(id): \(try await publisher.result(of: id))")
                    continue
                }
            }
            #expect(!publisher.states.all.contains { if case .unreachable = $0 { true } else { false } })

            // L16: what is as large as a frame allows is read as well.
            let consumer = ConsumerProbe(try quickConfiguration(host.url), [QueueSubscription(.existing("q"))])
            let deliveries = try await consumer.wait(for: 3)
            #expect(deliveries[2].properties.headers == largest.properties.headers)
        }
    }

    @Test("Report28: a missing exchange costs the notices channel, and no reply")
    func keepsRepliesFromNotices() async throws {
        try await VirtualHost.with { host in
            let topology = try Topology(try quickConfiguration(host.url))
            try topology.declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.waitReady()
            publisher.connection.publish(
                (0..<200).map { number in
                    number % 20 == 10
                        ? Publication(
                            id: number, channel: .notices, exchange: "missing", routingKey: "k", body: [])
                        : Publication(id: number, channel: .replies, routingKey: "q", body: [])
                })
            let outcomes = try await publisher.wait(for: 200)
            for outcome in outcomes {
                guard outcome.id % 20 == 10 else {
                    #expect(outcome.result == .confirmed)
                    continue
                }
                guard case .lost(let error) = outcome.result else {
                    Issue.record("\(outcome)")
                    continue
                }
                #expect(error.code == .notFound)
                #expect(error.text.contains("no exchange 'missing'"))
            }
            try topology.declareExchange("missing", type: "topic")
            let confirmed = try await firstAnswer(within: .seconds(5), "the notices channel works again") {
                let id = UInt64.random(in: 1000...UInt64.max)
                publisher.connection.publish([
                    Publication(id: id, channel: .notices, exchange: "missing", routingKey: "k", body: [])
                ])
                return try await publisher.result(of: id) == .confirmed ? true : nil
            }
            #expect(confirmed)
            #expect(!publisher.states.all.contains { if case .unreachable = $0 { true } else { false } })
            // Two, and that of the topology. What the broker counts may be some seconds old.
            try await eventually(within: .seconds(15), "closed channels are given back") {
                try await host.channelCount() <= 3
            }
        }
    }

    @Test("B01, Report11: a reply address that crashes the broker's channel loses what is on its way, once")
    func survivesInternalErrors() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.waitReady()
            publisher.connection.publish([
                Publication(id: 1, channel: .replies, routingKey: "amq.rabbitmq.reply-to.xx.yy", body: [])
            ])
            let poison = try await publisher.result(of: 1)
            if case .lost(let error) = poison {
                #expect(error.code == .internalError)
            } else {
                // Brokers from 3.10.12 on drop it.
                #expect(poison == .confirmed)
            }
            try await eventually(within: .seconds(10), "ready again") { publisher.connection.state.isReady }
            try await publisher.send(["after"], to: "q", from: 2)
            #expect(publisher.received.map(\.id) == [1, 2])
        }
    }

    @Test("L13, L27: a wrong password and an unknown virtual host are told from an absent broker")
    func namesTheFailure() async throws {
        let address = try await SharedBroker.address
        let good = try AMQPURL(parsing: address.url)
        var password = good
        password.password = "geheim"
        var host = good
        host.virtualHost = "no such host"
        var port = good
        port.port = 1
        for (endpoint, code) in [
            (password, AMQPError.Code.authenticationFailed), (host, .notAllowed), (port, .unreachable),
        ] {
            let configuration = ConnectionConfiguration(endpoints: [endpoint], connectionName: "test")
            let publisher = PublisherProbe(configuration)
            let state = try await publisher.states.wait("\(code)") {
                if case .unreachable = $0 { true } else { false }
            }
            guard case .unreachable(let error, _) = state else { continue }
            #expect(error.code == code)
            #expect(error.description.contains("\(endpoint)"))
            #expect(!error.description.contains("geheim"))
            publisher.connection.publish([Publication(id: 1, channel: .replies, routingKey: "q", body: [])])
            guard case .lost(let loss) = try await publisher.result(of: 1, within: .seconds(1)) else { continue }
            #expect(loss.code == code)
        }
    }

    @Test("Report19: closing waits for confirms; afterwards everything is lost at once")
    func closesInOrder() async throws {
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let publisher = PublisherProbe(try quickConfiguration(host.url))
            try await publisher.waitReady()
            publisher.connection.publish(
                (1...5000).map { Publication(id: $0, channel: .replies, routingKey: "q", body: [1]) })
            #expect(publisher.connection.close(within: .seconds(20)))
            #expect(publisher.received.count { $0.result == .confirmed } == 5000)
            publisher.connection.publish([Publication(id: 9999, channel: .replies, routingKey: "q", body: [])])
            #expect(publisher.received.last?.id == 9999)
            guard case .lost(let error)? = publisher.received.last?.result else {
                Issue.record("not lost")
                return
            }
            #expect(error.code == .closed)
            #expect(try await host.messages(in: "q") == 5000)
        }
    }

    @Test func closesWithoutEverHavingConnected() async throws {
        let outcomes = OutcomeBox()
        var configuration = try quickConfiguration("amqp://127.0.0.1:1")
        configuration.backOff = BackOff(first: .seconds(60), longest: .seconds(60))
        let never = PublisherConnection(configuration: configuration, onOutcomes: outcomes.add)
        never.publish([Publication(id: 1, channel: .replies, routingKey: "q", body: [])])
        #expect(never.close())
        #expect(outcomes.ids == [1])
        let trying = PublisherConnection(configuration: configuration, onOutcomes: outcomes.add)
        trying.start()
        let start = ContinuousClock.now
        #expect(trying.close())
        #expect(start.duration(to: .now) < .seconds(2))
    }
}
