// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Testing
import TokenMessages

@testable import TokenWorker

/// Where an answer goes, and what goes to the dead letters instead.
@Suite struct ReplyRoutingTests {
    let bench: Bench
    private let good = #"{"channelName":"test","uid":1}"#

    init() throws { bench = try Bench() }

    private func deadLetterCode(_ delivery: Delivery) throws -> String? {
        let batch = try bench.issue([delivery])
        guard let entry = batch.entries.first, batch.entries.count == 1, batch.silent.isEmpty else { return nil }
        #expect(entry.mustArrive)
        #expect(entry.receipt == delivery.tag)
        #expect(entry.message.exchange.isEmpty)
        #expect(entry.message.routingKey == "agora.tokens.dead")
        return entry.message.properties.headers["errorCode"]?.text
    }

    @Test func aReplyCarriesWhatTheContractSays() throws {
        let delivery = Bench.delivery(good) { properties in
            properties.messageID = "m1"
            properties.correlationID = [0xFF, 0x00, 0x41]
            properties.userID = "alice"
            properties.headers = [
                "traceparent": .string("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
                "x-death": .integer(99),
            ]
        }
        let message = try #require(try bench.issue([delivery]).entries.first).message
        #expect(message.exchange.isEmpty)
        #expect(message.routingKey == "amq.gen-1")
        #expect(message.isMandatory)
        #expect(message.properties.isPersistent)
        #expect(message.properties.contentType == "application/json")
        #expect(message.properties.type == "token.issued")
        #expect(message.properties.appID == "agora-token")
        #expect(message.properties.correlationID == [0xFF, 0x00, 0x41])
        #expect(message.properties.timestamp == 1_790_000_000)
        #expect(message.properties.userID == nil)
        #expect(message.properties.headers["status"]?.text == "ok")
        #expect(message.properties.headers["contractVersion"]?.integer == 1)
        #expect(message.properties.headers["traceparent"]?.text?.hasPrefix("00-4bf92f3577b34da6") == true)
        #expect(message.properties.headers["x-death"] == nil)
    }

    @Test func withoutACorrelationIDTheMessageIDIsEchoed() throws {
        let delivery = Bench.delivery(good) { properties in
            properties.correlationID = nil
            properties.messageID = "m1"
        }
        let message = try #require(try bench.issue([delivery]).entries.first).message
        #expect(message.properties.correlationID == Array("m1".utf8))
    }

    @Test("A message id that is no text is echoed byte for byte, and kept in a dead letter")
    func aMessageIDIsBytes() throws {
        let change: (inout MessageProperties) -> Void = { properties in
            properties.correlationID = nil
            properties.messageIDBytes = [0xFF, 0x01]
            properties.undecodable = ["message_id"]
        }
        let reply = try #require(try bench.issue([Bench.delivery(good, change: change)]).entries.first).message
        #expect(reply.properties.correlationID == [0xFF, 0x01])
        let letter = try #require(try bench.issue([Bench.delivery(good, replyTo: nil, change: change)]).entries.first)
        #expect(letter.message.properties.messageIDBytes == [0xFF, 0x01])
    }

    @Test(arguments: [MessageKind.request, .renew]) func withoutAReplyQueueARequestIsDead(kind: MessageKind) throws {
        #expect(try deadLetterCode(Bench.delivery(kind, good, replyTo: nil)) == "missing_reply_to")
        #expect(try deadLetterCode(Bench.delivery(kind, "nonsense", replyTo: nil)) == "missing_reply_to")
    }

    @Test(arguments: [
        "agora.tokens.request", "agora.tokens.dead", "orders", "amq.rabbitmq.reply-to.abc", "amq.gen-",
    ]) func aReplyQueueOutsideTheRulesGetsNothing(address: String) throws {
        #expect(try deadLetterCode(Bench.delivery(good, replyTo: address)) == "reply_to_not_allowed")
    }

    @Test func aDeadLetterKeepsTheMessageButNotItsUser() throws {
        let delivery = Bench.delivery(good, replyTo: nil) { properties in
            properties.userID = "alice"
            properties.messageID = "m1"
            properties.headers = ["x-death": .integer(3)]
        }
        let message = try #require(try bench.issue([delivery]).entries.first).message
        #expect(message.body == Array(good.utf8))
        #expect(message.properties.userID == nil)
        #expect(message.properties.messageID == "m1")
        #expect(message.properties.type == "token.request")
        #expect(message.properties.headers["originalQueue"]?.text == "agora.tokens.request")
        #expect(message.properties.headers["errorMessage"]?.text?.isEmpty == false)
        #expect(message.properties.headers["x-death"] == nil)
    }

    @Test func aBodyOverTheLimitIsDead() throws {
        let template = Bench.delivery(good)
        let delivery = Delivery(
            tag: template.tag, queue: 0, exchange: "", routingKey: "", isRedelivered: false,
            properties: template.properties, body: .tooLarge(20_000_000))
        #expect(try deadLetterCode(delivery) == "message_too_large")
    }

    @Test("Report12, B51: a message that kills its workers is dead at its twentieth return, by our own count")
    func aMessageThatKillsItsWorkersIsDeadAtItsTwentiethReturn() throws {
        func delivery(_ count: Int64) -> Delivery {
            Bench.delivery(good, isRedelivered: true) { $0.headers = ["x-delivery-count": .integer(count)] }
        }
        #expect(try bench.token(for: delivery(19)).token.hasPrefix("007"))
        #expect(try deadLetterCode(delivery(20)) == "delivery_limit")
        // A count that a publisher made up is not a return.
        let forged = Bench.delivery(good) { $0.headers = ["x-delivery-count": .integer(99)] }
        #expect(try bench.token(for: forged).token.hasPrefix("007"))
    }

    @Test func pastItsDeadlineNothingIsSigned() throws {
        func delivery(_ deadline: Int64) -> Delivery {
            Bench.delivery(good) { $0.headers = ["deadline": .integer(deadline)] }
        }
        #expect(try bench.error(for: delivery(1_789_999_999_999)).code == .deadlineExceeded)
        #expect(try bench.token(for: delivery(1_790_000_000_001)).token.hasPrefix("007"))
    }

    @Test(arguments: [
        ("AMQP", "3.10.12", false), ("RabbitMQ", "3.10.8", false), ("RabbitMQ", "3.10.12", true),
        ("RabbitMQ", "3.9.30", false), ("RabbitMQ", "3.11.0", true), ("RabbitMQ", "4.1.0-rc.1", true),
        ("RabbitMQ", "", false),
    ]) func directReplyToDependsOnTheBroker(product: String, version: String, isAllowed: Bool) {
        let broker = BrokerIdentity(product: product, version: version)
        #expect(WorkerConfiguration.DirectReplyTo.auto.isAllowed(by: broker) == isAllowed)
        #expect(WorkerConfiguration.DirectReplyTo.allow.isAllowed(by: nil))
        #expect(!WorkerConfiguration.DirectReplyTo.refuse.isAllowed(by: broker))
        #expect(!WorkerConfiguration.DirectReplyTo.auto.isAllowed(by: nil))
    }

    @Test("B03 of the broker: a direct reply, which always comes back, is not mandatory")
    func aDirectReplyIsNotMandatory() throws {
        let delivery = Bench.delivery(good, replyTo: "amq.rabbitmq.reply-to.g1h2.x==")
        var log = LogBatch(format: .off, milliseconds: 0)
        var tally = BatchTally()
        let batch = try bench.issuer.issue(
            [delivery], store: nil, Circumstances(now: 1_790_000_000_000, allowsDirectReply: true), log: &log,
            tally: &tally)
        #expect(batch.entries.first?.message.isMandatory == false)
        #expect(batch.entries.first?.message.properties.type == "token.issued")
    }
}
