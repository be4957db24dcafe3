// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenMessages

@Suite("Orders for renewals by the worker")
struct AutoRenewTests {
    private static func decode(_ body: [UInt8]) throws(MessageError) -> AutoRenew? {
        let fields = try MessageFields(MessageFields.object(body), known: FieldNames([.autoRenew, .notify]))
        return try fields.autoRenew(notify: fields.notify())
    }

    @Test("An order is read, kept in a row and read again")
    func taken() throws {
        let body = #"{"autoRenew":{"until":1790086400,"max":3,"replyTo":"reply.a"}}"#
        let order = try #require(try Self.decode(Array(body.utf8)))
        #expect(order == AutoRenew(until: 1_790_086_400, most: 3, replyTo: "reply.a"))
        #expect(AutoRenew(encoded: order.encoded) == order)
        let short = AutoRenew(until: 5)
        #expect(AutoRenew(encoded: short.encoded) == short)
        #expect(AutoRenew(encoded: Array("{}".utf8)) == nil)
        #expect(try Self.decode(Array("{}".utf8)) == nil)
    }

    @Test(
        "An order that says nothing that can be done is refused",
        arguments: [
            Refusal(#"{"autoRenew":true}"#, .invalidAutoRenew, "autoRenew", "an object"),
            Refusal(#"{"autoRenew":null}"#, .invalidAutoRenew, "autoRenew", "null"),
            Refusal(#"{"autoRenew":{}}"#, .missingField, "autoRenew.until", "missing"),
            Refusal(#"{"autoRenew":{"until":1790086400000}}"#, .invalidAutoRenew, "autoRenew.until", "milliseconds"),
            Refusal(#"{"autoRenew":{"until":5,"max":0}}"#, .invalidAutoRenew, "autoRenew.max", "is 0"),
            Refusal(#"{"autoRenew":{"until":5,"replyTo":7}}"#, .invalidAutoRenew, "autoRenew.replyTo", "in quotes"),
            Refusal(#"{"autoRenew":{"until":5,"often":7}}"#, .unknownField, "autoRenew.often", "not a field"),
            Refusal(#"{"autoRenew":{"until":5},"notify":false}"#, .fieldNotApplicable, "autoRenew", "no lease"),
            Refusal(
                #"{"autoRenew":{"until":5},"notify":{"before":[]}}"#, .fieldNotApplicable, "autoRenew", "first lead"),
        ])
    func refused(_ refusal: Refusal) throws {
        let error = try #require(try refusal.error { try Self.decode($0) })
        #expect(error.code == refusal.code)
        #expect(error.field == refusal.field)
        #expect(error.message.contains(refusal.says), "\(error.message)")
    }

    @Test("The queue is that of the request unless another is allowed; the time is to come")
    func checked() throws {
        let addresses = ReplyAddress(names: .standard, allowsDirect: false)
        func check(_ order: AutoRenew) throws(MessageError) -> AutoRenew {
            try order.checked(now: 100, requester: "reply.own", addresses: addresses)
        }
        #expect(try check(AutoRenew(until: 101)).replyTo == "reply.own")
        #expect(try check(AutoRenew(until: 101, replyTo: "reply.b")).replyTo == "reply.b")
        for (order, field) in [
            (AutoRenew(until: 100), "autoRenew.until"),
            (AutoRenew(until: 101, replyTo: "agora.tokens.request"), "autoRenew.replyTo"),
        ] {
            let error = #expect(throws: MessageError.self) { try check(order) }
            #expect(error?.code == .invalidAutoRenew && error?.field == field)
        }
    }
}
