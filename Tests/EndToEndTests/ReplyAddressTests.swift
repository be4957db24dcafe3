// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// A reply goes to queues that were made for replies, and to no other, whoever asks.
@Suite(.timeLimit(.minutes(3)))
struct ReplyAddressTests {
    /// Addresses outside of the rules; all but the broker's own names are queues that exist.
    private static let outside = [
        "agora.tokens.request", "agora.tokens.renew", "agora.tokens.cancel", "agora.tokens.dead",
        "agora.notices.unrouted", "agora.sqlite-owner", "orders", "notices.bob", "reply", "replies.bob", "Reply.bob",
        "reply.", "amq.gen-", "amq.topic", "amq.rabbitmq.reply-to.g1h2AA5yZXBseQ.x",
    ]

    @Test("Whoever asks with a reply_to outside of the rules gets nothing; it is counted and set aside")
    func outsideOfTheRules() async throws {
        try await Scene.withWorker { scene, worker in
            let requester = try await Requester(url: scene.host.url)
            let driver = requester.driver
            let queues = Self.outside.filter { !$0.hasPrefix("amq.") && !$0.hasPrefix("agora.") }
            for queue in queues { try await driver.declare(queue, exclusive: false) }
            var expected: Set<String> = []
            for address in Self.outside {
                for kind in ["request", "renew", "cancel"] {
                    let id = "\(kind) to \(address)"
                    let body =
                        kind == "request"
                        ? #"{"channelName":"test","uid":1,"leaseId":"never"}"# : #"{"leaseId":"never"}"#
                    _ = try driver.publish(
                        Array(body.utf8), to: "agora.tokens", key: kind, .init(replyTo: address, messageID: id))
                    expected.insert(id)
                }
            }
            try await driver.consume("agora.tokens.dead")
            let letters = try await firstAnswer(
                within: .seconds(30), "a dead letter for each\n\(worker.log.suffix(2000))"
            ) {
                let letters = try driver.messages(in: "agora.tokens.dead")
                return letters.count >= expected.count ? letters : nil
            }
            #expect(Set(letters.compactMap(\.properties.messageID)) == expected && letters.count == expected.count)
            for letter in letters {
                #expect(letter.properties.headers?["errorCode"] == .text("reply_to_not_allowed"))
                #expect(letter.properties.headers?["errorMessage"]?.text?.contains("reply_to is ") == true)
            }
            let counter = "agora_token_dead_letters_total{reason=\"reply_to_not_allowed\"} \(expected.count)\n"
            let page = try await worker.page("/metrics").body
            #expect(page.contains(counter), "\(page)")
            // Nothing came there, nothing was made, and the others are served.
            for queue in queues + ["agora.tokens.request", "agora.tokens.renew", "agora.notices.unrouted"] {
                #expect(try await driver.look(at: queue).messages == 0, "\(queue)")
            }
            #expect(try await requester.error(#"{"leaseId":"never"}"#, .renew).code == "lease_not_found")
            #expect(try requester.driver.messages(in: requester.replies).count == 1)
        }
    }
}
