// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// What users of comparable systems got wrong about messages and their replies, tried on a live worker.
@Suite(.timeLimit(.minutes(3)))
struct DeliveryFaultTests {
    @Test("B29: a reply whose queue is gone is counted and given up, and its lease ended")
    func replyQueueThatIsGone() async throws {
        try await Scene.withWorker { scene, worker in
            let requester = try await Requester(url: scene.host.url)
            _ = try requester.send(
                #"{"channelName":"c","uid":1,"leaseId":"lost"}"#, .request,
                .init(correlationID: "call-1", replyTo: "reply.gone"))
            try await eventually(within: .seconds(20), "a line about it\n\(worker.log.suffix(2000))") {
                worker.log.split(separator: "\n").contains {
                    $0.contains("reply_undeliverable") && $0.contains("reply.gone")
                }
            }
            try await eventually(within: .seconds(20), "the end of its lease") {
                try await requester.error(#"{"leaseId":"lost"}"#, .renew).code == "lease_not_found"
            }
            #expect(try await requester.driver.look(at: "agora.tokens.request").messages == 0)
            try await worker.becomes(ready: true, within: .seconds(20))
            _ = try await requester.token(#"{"channelName":"c","uid":2}"#)
        }
    }

    @Test("B33: a message is acknowledged when its lease is stored, not when the notices are due")
    func nothingIsHeldUntilItIsDue() async throws {
        try await Scene.with { scene in
            let requester = try await Requester(url: scene.host.url)
            let worker = try scene.worker()
            for user in 1...20 {
                _ = try await requester.token(
                    #"{"channelName":"c","uid":\#(user),"expire":86400,"leaseId":"u\#(user)"}"#)
            }
            #expect(try await worker.stop() == .code(0))
            // What had been held would be back.
            #expect(try await requester.driver.look(at: "agora.tokens.request").messages == 0)
            let next = try scene.worker()
            for user in [1, 20] { _ = try await requester.token(#"{"leaseId":"u\#(user)"}"#, .renew) }
            #expect(try await next.stop() == .code(0))
        }
    }

    @Test("B39: what a sender claims in x- headers is neither believed nor sent back")
    func forgedDeaths() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let forged: [String: HeaderValue] = [
                "x-death": .number(99), "x-delivery-count": .number(99), "x-first-death-reason": .text("rejected"),
            ]
            let reply = try await requester.ask(#"{"channelName":"c","uid":1}"#, .request, .init(headers: forged))
            #expect(reply.properties.type == "token.issued")
            let headers = reply.properties.headers ?? [:]
            #expect(!headers.keys.contains { $0.hasPrefix("x-") }, "\(headers)")
            // Not when it is set aside either.
            _ = try requester.driver.publish(
                Array("{}".utf8), to: "agora.tokens", key: "request", .init(headers: forged, messageID: "dead"))
            try await requester.driver.consume("agora.tokens.dead")
            let letter = try await firstAnswer(within: .seconds(20), "a dead letter") {
                try requester.driver.messages(in: "agora.tokens.dead").first
            }
            #expect(letter.properties.headers?.keys.contains { $0.hasPrefix("x-") } == false)
            #expect(letter.properties.headers?["attempts"] == .number(1))
        }
    }
}
