// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Testing
import TokenMessages

@testable import TokenWorker

/// What a message becomes on its way to the dead letters.
@Suite struct DeadPublicationTests {
    private let now: UInt64 = 1_790_000_000

    private func letter(_ message: String = "m", _ change: (inout MessageProperties) -> Void = { _ in }) -> Publication
    {
        let delivery = Bench.delivery(
            .renew, #"{"leaseId":"x"}"#, replyTo: "amq.topic", isRedelivered: true, change: change)
        return Publication(
            dead: delivery, MessageError(.replyToNotAllowed, message), names: .standard, kind: .renew, now: now)
    }

    @Test func saysWhyWhenAndWhereFrom() {
        let letter = letter("no such place") { properties in
            properties.messageID = "m1"
            properties.appID = "billing"
            properties.userID = "alice"
            properties.headers = ["x-delivery-count": .integer(2), "x-death": .array([]), "deadline": .integer(5)]
        }
        #expect(letter.routingKey == "agora.tokens.dead" && letter.isMandatory && letter.properties.isPersistent)
        let headers = letter.properties.headers
        #expect(headers["errorCode"]?.text == "reply_to_not_allowed")
        #expect(headers["errorMessage"]?.text == "no such place")
        #expect(headers["originalQueue"]?.text == "agora.tokens.renew")
        #expect(headers["firstFailedAt"]?.integer == 1_790_000_000)
        #expect(headers["attempts"]?.integer == 3)
        // What a repeat needs: who asked, where to answer, until when.
        #expect(headers["originalUserId"]?.text == "alice" && letter.properties.userID == nil)
        #expect(letter.properties.appID == "billing" && letter.properties.messageID == "m1")
        #expect(letter.properties.replyTo == "amq.topic" && headers["deadline"]?.integer == 5)
        #expect(headers["x-death"] == nil && headers["x-delivery-count"] == nil)
        #expect(letter.body == Array(#"{"leaseId":"x"}"#.utf8))
    }

    @Test func anEarlierLifeCounts() {
        let headers = letter { properties in
            properties.headers = ["firstFailedAt": .integer(1_780_000_000), "attempts": .integer(4)]
        }.properties.headers
        #expect(headers["firstFailedAt"]?.integer == 1_780_000_000)
        #expect(headers["attempts"]?.integer == 5)
    }

    @Test(arguments: [Int64.min, -1, 0, 1_790_000_001, .max])
    func whatStrangersClaimIsBounded(_ number: Int64) {
        let headers = letter { properties in
            properties.headers = [
                "firstFailedAt": .integer(number), "attempts": .integer(number), "x-delivery-count": .integer(number),
            ]
        }.properties.headers
        #expect(headers["firstFailedAt"]?.integer == 1_790_000_000)
        #expect((1...2_000_000_000).contains(headers["attempts"]?.integer ?? 0))
    }

    /// As a machine without a battery for its clock has it.
    @Test func aClockThatWasNeverSet() {
        let letter = Publication(
            dead: Bench.delivery(.renew, "{}", replyTo: nil), MessageError(.missingReplyTo, "m"), names: .standard,
            kind: .renew, now: 0)
        #expect(letter.properties.headers["firstFailedAt"]?.integer == 0)
    }

    @Test func textsAreCutBetweenCharacters() throws {
        let long = String(repeating: "ä", count: 600)
        let headers = letter(long) { properties in
            properties.headers = ["traceparent": .string(String(repeating: "x", count: 100_000))]
        }.properties.headers
        let message = try #require(headers["errorMessage"]?.text)
        #expect(message.utf8.count <= 1024 && message.hasSuffix("ä…") && long.hasPrefix(message.dropLast()))
        #expect(headers["traceparent"] == nil)
    }
}
