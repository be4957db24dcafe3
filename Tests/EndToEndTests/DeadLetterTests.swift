// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// What cannot be answered goes to the dead letters, with the reason.
@Suite(.timeLimit(.minutes(3)))
struct DeadLetterTests {
    /// Publishes a message as given and returns what arrives in the dead letters.
    private func deadLetter(
        _ body: String, key: String = "request", _ properties: DriverProperties
    ) async throws -> DriverMessage {
        var result: DriverMessage?
        try await Scene.withWorker { scene, _ in
            let driver = try await Driver(url: scene.host.url)
            try await driver.consume("agora.tokens.dead")
            _ = try driver.publish(Array(body.utf8), to: "agora.tokens", key: key, properties)
            result = try await firstAnswer(within: .seconds(20), "a dead letter") {
                try driver.messages(in: "agora.tokens.dead").first
            }
            try await eventually(within: .seconds(10), "an empty queue") {
                try await driver.look(at: "agora.tokens.request").messages == 0
            }
        }
        return try #require(result)
    }

    @Test(arguments: ["request", "renew"])
    func withoutReplyTo(_ kind: String) async throws {
        let body = #"{"channelName":"test","uid":1234,"role":1}"#
        let letter = try await deadLetter(body, key: kind, .init())
        #expect(letter.properties.headers?["errorCode"] == .text("missing_reply_to"))
        #expect(letter.properties.headers?["originalQueue"] == .text("agora.tokens.\(kind)"))
        #expect(letter.properties.headers?["errorMessage"]?.text?.isEmpty == false)
        #expect(letter.text == body)
    }

    @Test(
        "B04 of the broker: a reply goes to no queue that is not the caller's",
        arguments: ["agora.tokens.request", "some-queue", "amq.topic"])
    func replyToThatIsNotAllowed(_ queue: String) async throws {
        let letter = try await deadLetter(#"{"channelName":"test","uid":1}"#, .init(replyTo: queue))
        #expect(letter.properties.headers?["errorCode"] == .text("reply_to_not_allowed"))
    }

    @Test func unreadableWithoutReplyTo() async throws {
        let letter = try await deadLetter("not JSON", .init(correlationID: "c1"))
        #expect(letter.text == "not JSON")
        #expect(["malformed_json", "missing_reply_to"].contains(letter.properties.headers?["errorCode"]?.text))
        #expect(letter.properties.correlationID == "c1")
    }
}
