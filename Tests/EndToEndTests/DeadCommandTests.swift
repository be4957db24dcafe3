// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// The commands for dead letters, on letters that a worker made.
@Suite(.timeLimit(.minutes(3)))
struct DeadCommandTests {
    private struct Letter: Decodable {
        let id, errorCode: String
        let originalQueue, caller, body: String?
        let firstFailedAt, failedAt, attempts: Int?
    }

    private func run(_ url: String, _ words: String...) async throws -> (exit: ChildProcess.Exit, text: String) {
        let child = try ChildProcess(TestEnvironment.binary, ["dead"] + words, environment: ["AMQP_URL": url])
        let exit = try await child.wait(within: .seconds(30))
        return (exit, child.output + child.errorText)
    }

    private func letters(_ url: String) async throws -> [Letter] {
        let (exit, text) = try await run(url, "list", "--json")
        #expect(exit == .code(0), "\(text)")
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Letter.self, from: Data($0.utf8)) }
    }

    private func waiting(_ driver: Driver) async throws -> Int {
        try await driver.look(at: "agora.tokens.dead").messages
    }

    @Test func listShowRequeueDrop() async throws {
        try await Scene.withWorker { scene, _ in
            let url = scene.host.url
            let requester = try await Requester(url: url)
            let driver = requester.driver
            let token = try await requester.token(#"{"channelName":"test","uid":1}"#).token
            let bodies = [
                #"{"channelName":"test","uid":1}"#, #"{"token":"\#(token.replacing("/", with: "\\/"))"}"#, "not JSON",
            ]
            _ = try driver.publish(Array(bodies[0].utf8), to: "agora.tokens", key: "request", .init(appID: "billing"))
            _ = try driver.publish(
                Array(bodies[1].utf8), to: "agora.tokens", key: "renew", .init(replyTo: "elsewhere", messageID: token))
            _ = try driver.publish(Array(bodies[2].utf8), to: "agora.tokens", key: "cancel")
            try await eventually(within: .seconds(20), "three letters") { try await waiting(driver) == 3 }

            // Looking changes nothing. Three queues are read side by side, so the order is anybody's guess.
            let order = ["missing_reply_to", "reply_to_not_allowed", "malformed_json"]
            let listed = try await letters(url).sorted { one, other in
                let places = [one, other].map { order.firstIndex(of: $0.errorCode) ?? 3 }
                return places[0] < places[1]
            }
            #expect(listed.map(\.errorCode) == order)
            #expect(listed.map(\.originalQueue) == ["request", "renew", "cancel"].map { "agora.tokens.\($0)" })
            #expect(listed[0].caller == "a-billing" && listed.allSatisfy { $0.attempts == 1 })
            #expect(try await run(url, "list").text.split(separator: "\n").count == 4, "a title and three")
            let (_, shown) = try await run(url, "show", listed[1].id)
            #expect(shown.contains("elsewhere") && shown.contains("characters hidden"))
            #expect(!shown.contains(token.prefix(12)) && !shown.contains(token.suffix(12)), "\(shown)")
            let machine = try await run(url, "show", "--json", listed[1].id).text
            #expect(!machine.contains(token.prefix(12)) && machine.contains(#""body""#))
            #expect(try await run(url, "show", "0000000000").exit == .code(1))
            #expect(try await run(url, "requeue", "--all", "--dry-run").text.contains("would requeue \(listed[0].id)"))
            #expect(try await run(url, "drop", listed[0].id, "--dry-run").text.hasPrefix("would drop"))
            #expect(try await run(url, "drop").exit == .code(2))
            #expect(try await waiting(driver) == 3)

            // Requeued, this one fails again, and its letter knows of both times.
            let again = try await run(url, "requeue", listed[0].id)
            #expect(again.exit == .code(0) && again.text.hasPrefix("requeued \(listed[0].id)"), "\(again)")
            let second = try await firstAnswer(within: .seconds(20), "the letter of the second try") {
                try await letters(url).first { $0.attempts == 2 }
            }
            #expect(second.errorCode == "missing_reply_to" && second.caller == "a-billing")
            #expect(second.firstFailedAt == listed[0].firstFailedAt)

            #expect(try await run(url, "drop", "--code", "malformed_json").exit == .code(0))
            #expect(try await letters(url).map(\.errorCode).sorted() == ["missing_reply_to", "reply_to_not_allowed"])
            // What a command has only looked at is back before it ends.
            #expect(try await waiting(driver) == 2)
            #expect(try await run(url, "drop", "--all").exit == .code(0))
            #expect(try await waiting(driver) == 0)
            #expect(try await letters(url).isEmpty)
        }
    }

    /// What was put aside for no fault of its own is answered after all.
    @Test func requeuedLettersAreServed() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            for number in 1...300 {
                _ = try requester.driver.publish(
                    Array(#"{"channelName":"test","uid":\#(number)}"#.utf8), to: "", key: "agora.tokens.dead",
                    .init(
                        headers: [
                            "errorCode": .text("delivery_limit"), "originalQueue": .text("agora.tokens.request"),
                        ], correlationID: "again-\(number)", replyTo: requester.replies))
            }
            _ = try requester.driver.publish(
                Array("{}".utf8), to: "", key: "agora.tokens.dead",
                .init(headers: ["originalQueue": .text("agora.notices.unrouted")]))
            try await eventually(within: .seconds(20), "301 letters") { try await waiting(requester.driver) == 301 }
            let (exit, text) = try await run(scene.host.url, "requeue", "--all")
            #expect(exit == .code(1) && text.contains("stays: it did not come from"), "\(text.suffix(500))")
            try await eventually(within: .seconds(20), "300 replies") {
                try requester.driver.messages(in: requester.replies).count == 300
            }
            #expect(try await waiting(requester.driver) == 1)
        }
    }

    /// A message that a user sent is never served under another name.
    @Test func lettersOfUsers() async throws {
        try await Scene.withWorker { scene, _ in
            try await scene.host.withUser("alice") { user, url in
                let requester = try await Requester(url: scene.host.url)
                _ = try requester.driver.publish(
                    Array(#"{"channelName":"test","uid":1}"#.utf8), to: "", key: "agora.tokens.dead",
                    .init(
                        headers: [
                            "errorCode": .text("delivery_limit"), "originalQueue": .text("agora.tokens.request"),
                            "originalUserId": .text(user),
                        ], correlationID: "c", replyTo: requester.replies))
                try await eventually(within: .seconds(20), "a letter") { try await waiting(requester.driver) == 1 }
                #expect(try await letters(url).first?.caller == "u-\(user)")
                let refused = try await run(scene.host.url, "requeue", "--all")
                #expect(refused.exit == .code(1) && refused.text.contains("impersonator"), "\(refused)")
                #expect(try await waiting(requester.driver) == 1)
                #expect(try await run(url, "requeue", "--all").exit == .code(0))
                _ = try await requester.reply(to: "c")
                #expect(try await waiting(requester.driver) == 0)
            }
        }
    }
}
