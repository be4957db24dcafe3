// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// A message whose workers die, each time they get it, is put aside; the others are served.
@Suite(.timeLimit(.minutes(3)))
struct PoisonTests {
    @Test("Report12, B37: a message whose workers die is put aside after so many deliveries, and the others are served")
    func deliveredTooOften() async throws {
        let limit = 3
        let environment = ["AGORA_TOKEN_DELIVERY_LIMIT": String(limit)]
        try await Scene.with { scene in
            let requester = try await Requester(url: scene.host.url)
            let body = #"{"channelName":"poison","uid":1}"#
            _ = try requester.send(Array(body.utf8), .request, .init(correlationID: "poison", appID: "billing"))
            for round in 1...limit {
                // With its replies held back it takes the message, and dies before it can acknowledge it.
                let proxy = try HoldingProxy(to: scene.host.url, holding: .publisher)
                try await proxy.hold()
                let worker = try scene.worker(url: try await proxy.url(), environment: environment)
                try await eventually(within: .seconds(20), "the message, round \(round)\n\(worker.log.suffix(2000))") {
                    worker.log.contains("token.issued")
                }
                try await worker.kill()
            }
            let begin = Int(Date().timeIntervalSince1970)
            let worker = try scene.worker(environment: environment)
            try await requester.driver.consume("agora.tokens.dead")
            let letter = try await firstAnswer(within: .seconds(20), "a dead letter\n\(worker.log.suffix(2000))") {
                try requester.driver.messages(in: "agora.tokens.dead").first
            }
            let headers = try #require(letter.properties.headers)
            #expect(headers["errorCode"] == .text("delivery_limit"))
            #expect(headers["originalQueue"] == .text("agora.tokens.request"))
            #expect(headers["attempts"] == .number(limit + 1))
            guard case .number(let first) = headers["firstFailedAt"] else { throw TestFailure("no firstFailedAt") }
            #expect(begin...begin + 20 ~= first)
            #expect(letter.text == body && letter.properties.appID == "billing")
            #expect(letter.properties.correlationID == "poison" && letter.properties.replyTo == requester.replies)

            _ = try await requester.token(#"{"channelName":"test","uid":2}"#)
            #expect(try await requester.driver.look(at: "agora.tokens.request").messages == 0)
            #expect(try await worker.stop() == .code(0))
        }
    }

    /// Where no worker lives long enough to say so, the broker puts it aside.
    @Test("B06 of the broker: a quorum queue's own delivery limit")
    func theBrokersOwnLimit() async throws {
        try await VirtualHost.with { host in
            try await ChildProcess.run(
                TestEnvironment.binary,
                ["topology", "apply", "--delivery-limit", "2", "--management", host.broker.management.base],
                environment: ["AMQP_URL": host.url])
            let driver = try await Driver(url: host.url)
            _ = try driver.publish(Array("poison".utf8), to: "agora.tokens", key: "request")
            try await driver.consume("agora.tokens.dead")
            try await ChildProcess.run(
                "/usr/bin/python3",
                [
                    "-c",
                    """
                    import pika, sys
                    channel = pika.BlockingConnection(pika.URLParameters(sys.argv[1])).channel()
                    for _ in range(3):
                        for method, _, _ in channel.consume("agora.tokens.request"):
                            channel.basic_reject(method.delivery_tag, requeue=True)
                            break
                    """, host.url,
                ])
            let letter = try await firstAnswer(within: .seconds(20), "a dead letter") {
                try driver.messages(in: "agora.tokens.dead").first
            }
            #expect(letter.text == "poison")
            #expect(letter.properties.headers?["x-first-death-reason"] == .text("delivery_limit"))
        }
    }
}
