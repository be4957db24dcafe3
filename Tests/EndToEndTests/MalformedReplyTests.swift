// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// Reply addresses that RabbitMQ before 3.10.12 answers by ending the connection.
@Suite(.timeLimit(.minutes(2)))
struct MalformedReplyTests {
    @Test("B01, Report11: malformed direct reply-tos under load end in the dead letters, and only they")
    func servesTheOthers() async throws {
        try await Scene.withWorker { scene, worker in
            let requester = try await Requester(url: scene.host.url)
            _ = try await requester.token(#"{"channelName":"warm-up","uid":1,"notify":false}"#)
            try await requester.driver.consume("agora.tokens.dead")
            let load = Load(requester)
            let addresses = [
                "amq.rabbitmq.reply-to.xx.yy", "amq.rabbitmq.reply-to.g1h2AA.x", "amq.rabbitmq.reply-to.",
                "amq.rabbitmq.reply-to.a.b.c",
            ]
            for address in addresses {
                try load.publish(40)
                _ = try requester.send(#"{"channelName":"test","uid":1}"#, .request, .init(replyTo: address))
            }
            try load.publish(40)
            try await load.settle(worker.log)
            let letters = try await firstAnswer(within: .seconds(10), "the dead letters") {
                let letters = try requester.driver.messages(in: "agora.tokens.dead")
                return letters.count >= addresses.count ? letters : nil
            }
            #expect(letters.count == addresses.count)
            #expect(letters.allSatisfy { $0.properties.headers?["errorCode"]?.text == "reply_to_not_allowed" })
            #expect(try load.answers() == load.count, "no answer comes twice, as no connection was lost")
        }
    }
}
