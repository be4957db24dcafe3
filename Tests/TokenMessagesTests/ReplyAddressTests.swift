// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("Where replies may go")
struct ReplyAddressTests {
    private func code(_ address: String?, direct: Bool = true, names: Names = .standard) -> ErrorCode? {
        do {
            _ = try ReplyAddress(names: names, allowsDirect: direct).check(address)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "Queues named by the broker, direct ones and those that begin with reply. are allowed",
        arguments: [
            "amq.gen-JzTY20BRgKO-HjmUJj0wLg", "reply.backend", "reply.ü", "reply.a b",
            "amq.rabbitmq.reply-to.g1h2AA5yZXBseUAxMjM0NTY3OAAAAAAAAAAAYw==.abc+/_-=",
        ])
    func allowed(address: String) {
        #expect(code(address) == nil)
    }

    @Test(
        "Every other queue is not",
        arguments: [
            "backend", "agora.tokens.request", "agora.tokens.dead", "agora.notices.unrouted", "agora.sqlite-owner",
            "reply.",
            "amq.gen-", "amq.rabbitmq.reply-to", "amq.rabbitmq.reply-to.a b", "amq.direct", "Reply.a", " reply.a",
            "reply.a\n", "reply.\u{0}", "reply.\u{FFFD}", "reply." + String(repeating: "a", count: 250),
        ])
    func refused(address: String) {
        #expect(code(address) == .replyToNotAllowed)
    }

    @Test("None at all is missing")
    func missing() {
        #expect(code(nil) == .missingReplyTo)
        #expect(code("") == .missingReplyTo)
    }

    @Test("Direct ones are refused where the broker cannot take them")
    func direct() {
        #expect(code("amq.rabbitmq.reply-to.g1h2.abc", direct: false) == .replyToNotAllowed)
        #expect(code("amq.gen-a", direct: false) == nil)
        #expect {
            try ReplyAddress(names: .standard, allowsDirect: false).check(
                "amq.rabbitmq.reply-to.g1h2AA5yZXBseUAxMjM0NTY3OAAAAAAAAAAAYw==.abc")
        } throws: { error in
            (error as? MessageError)?.message.hasPrefix("reply_to is direct reply-to, ") ?? false
        }
        #expect(ReplyAddress.isDirect("amq.rabbitmq.reply-to.g1h2.abc"))
        #expect(!ReplyAddress.isDirect("reply.a"))
    }

    @Test("A worker's own queues are refused whatever they begin with")
    func own() throws {
        let names = try #require(Names(prefix: "reply.x"))
        for kind in MessageKind.allCases { #expect(code(names.queue(kind), names: names) == .replyToNotAllowed) }
        #expect(code(names.deadQueue, names: names) == .replyToNotAllowed)
        #expect(code("reply.y", names: names) == nil)
    }

    @Test("Names share a prefix that the broker takes")
    func names() throws {
        let names = try #require(Names(prefix: "agora"))
        #expect(names == .standard)
        #expect(names.tokensExchange == "agora.tokens")
        #expect(
            MessageKind.allCases.map(names.queue) == [
                "agora.tokens.request", "agora.tokens.renew", "agora.tokens.cancel",
            ])
        #expect(names.deadQueue == "agora.tokens.dead")
        #expect(names.noticesExchange == "agora.notices")
        #expect(names.unroutedNotices == "agora.notices.unrouted")
        #expect(names.sqliteOwner == "agora.sqlite-owner")
        for bad in ["", "amq", "amq.x", "a b", "a*", "ü", String(repeating: "a", count: 101)] {
            #expect(Names(prefix: bad) == nil)
        }
    }
}
