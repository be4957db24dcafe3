// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Foundation
import TestSupport
import Testing

/// What users of comparable systems got wrong about whom a token is for, tried on a live worker.
@Suite(.timeLimit(.minutes(3)))
struct IdentityFaultTests {
    @Test("B01: a token for a user account is refused for a number, and the reply says which was signed")
    func accountJoinedByNumber() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let account = "145824d8-80c1-708f-144f-1b312c6c6742"
            let reply = try await requester.token(#"{"channelName":"testStream","account":"\#(account)"}"#)
            #expect(reply.account == account && reply.uid == nil)
            let report = try await requester.explain(reply.token, #""channelName":"testStream","uid":12345"#)
            #expect(report.codes == ["wrongUser"])
            let message = try #require(report.refusals.first).message
            #expect(message.contains(account) && message.contains("12345"))
            let right = try await requester.explain(reply.token, #""channelName":"testStream","account":"\#(account)""#)
            #expect(right.accepted)
        }
    }

    @Test("B02: a token for a number is refused for number 0")
    func numberJoinedByZero() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let token = try await requester.token(#"{"channelName":"c1","uid":12345}"#).token
            let zero = try await requester.explain(token, #""channelName":"c1","uid":0"#)
            #expect(zero.codes == ["wrongUser"])
            #expect(zero.refusals.first?.message.contains("uid 0") == true)
            #expect(try await requester.explain(token, #""channelName":"c1","uid":12345"#).accepted)
        }
    }

    @Test("B03: where a channel's users are numbers, a policy refuses names, and the message is done with")
    func oneKindOfUser() async throws {
        let policy = #"{rules: [{name: "numbers", allow: {identity: "uid"}}]}"#
        try await Scene.withWorker(policy: policy) { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let refused = try await requester.error(#"{"channelName":"c1","account":"alice"}"#)
            #expect(refused.code == "policy_denied" && refused.message.contains("numbers") && !refused.retryable)
            let combined = try await requester.error(#"{"service":"rtc+rtm","channelName":"c1","account":"alice"}"#)
            #expect(combined.code == "policy_denied")
            _ = try await requester.token(#"{"channelName":"c1","uid":7}"#)
            #expect(try await requester.driver.look(at: "agora.tokens.request").messages == 0)
        }
    }

    @Test("B06: a subscriber's token joins only, and the report says when Agora enforces that")
    func subscribersAreEnforcedByTheProject() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let reply = try await requester.token(#"{"channelName":"c1","uid":7,"role":"subscriber"}"#)
            #expect(reply.privileges == ["joinChannel": reply.expiresAt])
            let report = try await requester.explain(reply.token, #""channelName":"c1","uid":7"#)
            #expect(report.accepted && report.content?.services?.first?.privileges.keys.sorted() == ["1"])
            let remark = try #require(report.remarks.first { $0.code == "notPublishing" })
            #expect(remark.advice?.contains("co-host authentication") == true)
        }
    }

    @Test(
        "B07: a token for the administration is refused for a user; a short life shows in the reply",
        arguments: [
            ("chat-user", "chat-app", "userId"), ("apaas-user", "apaas-app", "userUuid"),
        ])
    func administrationAsUser(_ userService: String, _ appService: String, _ field: String) async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let mine = try await requester.token(#"{"service":"\#(userService)","\#(field)":"bob","expire":60}"#)
            #expect(mine.service == userService && mine.expiresIn == 60 && mine.expiresAt == mine.issuedAt + 60)
            let own = try await requester.explain(mine.token, #""service":"\#(userService)","userId":"bob""#)
            #expect(own.accepted)
            let app = try await requester.token(#"{"service":"\#(appService)"}"#)
            let report = try await requester.explain(app.token, #""service":"\#(userService)","userId":"bob""#)
            #expect(report.codes == ["wrongUser"])
            #expect(report.refusals.first?.message.contains("names no user") == true)
            #expect(try await requester.explain(app.token, #""service":"\#(appService)""#).accepted)
        }
    }

    @Test("B08: an RTC token is no RTM token, and RTM wants a user and no channel")
    func callTokenForMessaging() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let token = try await requester.token(#"{"channelName":"room9","uid":0}"#).token
            let report = try await requester.explain(token, #""service":"rtm","userId":"room9""#)
            #expect(report.codes == ["missingService"])
            #expect(report.refusals.first?.message.contains("it is for RTC") == true)
            let request = try await requester.error(#"{"service":"rtm","channelName":"room9"}"#)
            #expect(request.code == "field_not_applicable" && request.field == "channelName")
        }
    }

    @Test("B09: a call and messaging are one token, each under its own name")
    func callAndMessaging() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let token = try await requester.token(#"{"service":"rtc+rtm","channelName":"web","uid":44}"#).token
            let call = try await requester.explain(token, #""service":"rtc","channelName":"web","uid":44"#)
            #expect(call.accepted && Set(call.content?.services?.map(\.type) ?? []) == ["rtc", "rtm"])
            let wrong = try await requester.explain(token, #""service":"rtc","channelName":"web","uid":0"#)
            #expect(wrong.codes == ["wrongUser"])
            #expect(try await requester.explain(token, #""service":"rtm","userId":"44""#).accepted)
            #expect(try await requester.explain(token, #""service":"rtm","userId":"45""#).codes == ["wrongUser"])
        }
    }

    @Test("B10: no token, and an App ID for one, are two plain reasons with the words that users search for")
    func noToken() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            var messages: Set<String> = []
            for text in ["", WorkerProcess.appID] {
                let report = try await requester.explain(text)
                let refusal = try #require(report.refusals.first)
                #expect(!report.accepted && refusal.advice?.contains("dynamic use static key") == true)
                messages.insert(refusal.message)
                let offline = try ChildProcess(TestEnvironment.binary, ["explain", text])
                #expect(try await offline.wait(within: .seconds(20)) == .code(1))
                #expect(offline.output.contains(refusal.message), "\(offline.output)")
            }
            #expect(messages.count == 2)
        }
    }

    @Test("B27: a token that begins in the future is refused, and the clock named")
    func issuedInTheFuture() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let token = try AccessToken.rtc(
                appID: AppID(WorkerProcess.appID), channel: "test", user: 1234, lifetime: 3600,
                issuedAt: UInt32(Date().timeIntervalSince1970) + 90, salt: 1
            ).signed(with: AppCertificate(WorkerProcess.certificate))
            let report = try await requester.explain(token, #""channelName":"test","uid":1234"#)
            let refusal = try #require(report.refusals.first)
            #expect(report.codes == ["notYetValid"])
            #expect(refusal.message.contains(/in (9[01]|8[0-9]|7[0-9]) s/) && refusal.advice?.contains("clock") == true)
        }
    }
}
