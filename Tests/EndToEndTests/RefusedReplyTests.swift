// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// Replies that their queue does not take now.
@Suite(.timeLimit(.minutes(2)))
struct RefusedReplyTests {
    @Test("B12: a full reply queue that refuses costs no reply, and the others wait for nothing")
    func aFullQueue() async throws {
        try await Scene.withWorker { scene, worker in
            let (management, host) = (scene.host.broker.management, scene.host.name)
            let requester = try await Requester(url: scene.host.url)
            try await requester.driver.declare("reply.full", exclusive: false, durable: true)
            try await management.call(
                "PUT", ["policies", host, "full"],
                body: """
                    {"pattern":"^reply[.]full$","apply-to":"queues",
                     "definition":{"max-length":1,"overflow":"reject-publish"}}
                    """)
            for number in 1...20 {
                let properties = DriverProperties(
                    correlationID: "\(number)", replyTo: "reply.full", messageID: "m-\(number)")
                _ = try requester.send(#"{"channelName":"test","uid":\#(number)}"#, .request, properties)
            }
            try await eventually(within: .seconds(30), "replies that go back") { worker.log.contains("reply_refused") }
            _ = try await requester.token(#"{"channelName":"test","uid":100}"#, within: .seconds(3))
            try await management.call("DELETE", ["policies", host, "full"])
            try await requester.driver.consume("reply.full")
            try await eventually(within: .seconds(30), "20 replies\n\(worker.log.suffix(2000))") {
                let replies = try requester.driver.messages(in: "reply.full")
                return Set(replies.compactMap(\.properties.correlationID)).count == 20
            }
            let tokens = try requester.driver.messages(in: "reply.full").map { try $0.json(Contract.Reply.self) }
            #expect(Set(tokens.map(\.token)).count == 20, "the same token for the same message")
            #expect(try await requester.driver.look(at: "agora.tokens.dead").messages == 0)
        }
    }

    @Test("B12: what a reply queue refuses for good ends as a dead letter at the delivery limit, and nothing else does")
    func aQueueThatNeverTakesIt() async throws {
        let limit = 2
        try await Scene.with { scene in
            let worker = try scene.worker(arguments: ["--delivery-limit", String(limit)])
            let requester = try await Requester(url: scene.host.url)
            try await requester.driver.declare("reply.full", exclusive: false, durable: true)
            try await scene.host.broker.management.call(
                "PUT", ["policies", scene.host.name, "full"],
                body: """
                    {"pattern":"^reply[.]full$","apply-to":"queues",
                     "definition":{"max-length":0,"overflow":"reject-publish"}}
                    """)
            let body = #"{"channelName":"test","uid":1}"#
            let properties = DriverProperties(correlationID: "refused", replyTo: "reply.full", messageID: "m-1")
            _ = try requester.send(body, .request, properties)
            try await requester.driver.consume("agora.tokens.dead")
            // Each delivery is tried for 5 s.
            let letter = try await firstAnswer(within: .seconds(60), "a dead letter\n\(worker.log.suffix(3000))") {
                try requester.driver.messages(in: "agora.tokens.dead").first
            }
            #expect(worker.log.split(separator: "\n").count { $0.contains("reply_refused") } == limit)
            let headers = try #require(letter.properties.headers)
            #expect(headers["errorCode"] == .text("delivery_limit"))
            #expect(headers["attempts"] == .number(limit + 1))
            #expect(letter.text == body && letter.properties.replyTo == "reply.full")
            #expect(letter.properties.correlationID == "refused")
            _ = try await requester.token(#"{"channelName":"test","uid":2}"#)
            #expect(try requester.driver.messages(in: "agora.tokens.dead").count == 1)
            #expect(try await requester.driver.look(at: "agora.tokens.request").messages == 0)
            #expect(try await worker.stop() == .code(0), "\(worker.log.suffix(2000))")
        }
    }
}
