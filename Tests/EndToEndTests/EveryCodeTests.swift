// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing
import TokenMessages

/// Every code of an error is one that a live worker gives.
@Suite(.timeLimit(.minutes(3)))
struct EveryCodeTests {
    /// What is not an example that every worker answers, and where it is provoked.
    private static let elsewhere: [ErrorCode: String] = [
        .internal: "EveryCodeTests.swift", .rejectedByStore: "EveryCodeTests.swift",
        .messageTooLarge: "EveryCodeTests.swift", .deliveryLimit: "PoisonTests.swift",
        .missingReplyTo: "ContractTests.swift", .replyToNotAllowed: "ReplyAddressTests.swift",
        .invalidAutoRenew: "AutoRenewTests.swift", .policyDenied: "PolicyTests.swift",
        .rateLimited: "PolicyTests.swift",
    ]

    @Test func everyCodeIsProvoked() throws {
        let live = Set(try ContractExample.all().filter(\.isLive).flatMap(\.codes))
        #expect(live.union(Self.elsewhere.keys.map(\.rawValue)) == Set(ErrorCode.allCases.map(\.rawValue)))
        for (code, file) in Self.elsewhere {
            let path = "\(TestEnvironment.root)/Tests/EndToEndTests/\(file)"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains("\"\(code.rawValue)\"") || text.contains(code.rawValue.replacing("_", with: "-")))
        }
    }

    /// The database refuses a caller's leases, as one that is damaged or watched over may.
    @Test func whatTheStoreRefuses() async throws {
        try await Scene.withWorker { scene, worker in
            try await worker.becomes(ready: true, within: .seconds(20))
            let path = scene.database.dropFirst("sqlite:".count)
            try await ChildProcess.run(
                "/usr/bin/python3",
                [
                    "-c",
                    """
                    import sqlite3, sys
                    sqlite3.connect(sys.argv[1], timeout=20).execute(
                        "CREATE TRIGGER refuse BEFORE INSERT ON lease WHEN NEW.caller = 'a-refused' "
                        "BEGIN SELECT RAISE(ABORT, 'refused'); END")
                    """, String(path),
                ])
            let requester = try await Requester(url: scene.host.url)
            let refused = DriverProperties(appID: "refused")
            let batch = try await requester.ask(
                #"{"requests":[{"channelName":"a","uid":1},{"channelName":"b","uid":1,"notify":false}]}"#, .request,
                refused)
            struct Results: Decodable {
                struct Item: Decodable {
                    var error: Contract.ErrorReply.Body?
                    var token: String?
                }
                var results: [Item]
            }
            let results = try batch.json(Results.self).results
            #expect(results.map(\.error?.code) == ["internal", nil] && results.last?.token != nil)
            #expect(results.first?.error?.retryable == false)
            _ = try requester.send(#"{"channelName":"a","uid":1}"#, .request, refused)
            try await requester.driver.consume("agora.tokens.dead")
            let letter = try await firstAnswer(within: .seconds(20), "a dead letter") {
                try requester.driver.messages(in: "agora.tokens.dead").first
            }
            #expect(letter.properties.headers?["errorCode"] == .text("rejected_by_store"))
            #expect(letter.text == #"{"channelName":"a","uid":1}"#)
            _ = try await requester.token(#"{"channelName":"a","uid":1}"#)
        }
    }

    @Test func whatIsTooLarge() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let body = [UInt8](repeating: UInt8(ascii: "x"), count: 2_000_000)
            _ = try requester.send(body, .request)
            try await eventually(within: .seconds(20), "a dead letter") {
                try await requester.driver.look(at: "agora.tokens.dead").messages == 1
            }
            // There is nothing to send again, and no empty message is.
            let again = try ChildProcess(
                TestEnvironment.binary, ["dead", "requeue", "--all"], environment: ["AMQP_URL": scene.host.url])
            #expect(try await again.wait(within: .seconds(30)) == .code(1))
            #expect((again.output + again.errorText).contains("too large"), "\(again.output)\(again.errorText)")
            try await requester.driver.consume("agora.tokens.dead")
            let letter = try await firstAnswer(within: .seconds(20), "the letter, which stays") {
                try requester.driver.messages(in: "agora.tokens.dead").first
            }
            let example = try #require(try ContractExample.deadLetter("message-too-large"))
            #expect(letter.body.isEmpty && letter.properties.headers?["errorCode"] == .text("message_too_large"))
            #expect(letter.properties.headers?["errorMessage"]?.text == example["errorMessage"] as? String)
            _ = try await requester.token(#"{"channelName":"a","uid":1}"#)
        }
    }
}
