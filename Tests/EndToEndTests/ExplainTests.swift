// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// What is wrong with a token, asked over the queue.
@Suite(.timeLimit(.minutes(3)))
struct ExplainTests {
    @Test func everyReasonIsNamed() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let token = try await requester.token(#"{"channelName":"test","uid":1234,"notify":false}"#).token
            let right = try await requester.explain(token, #""channelName":"test","uid":1234"#)
            #expect(right.accepted && right.codes.isEmpty)
            #expect(right.content?.version == "007" && right.content?.appId == WorkerProcess.appID)

            let user = try await requester.explain(token, #""channelName":"test","uid":123456"#)
            #expect(user.codes == ["wrongUser"])
            #expect(user.refusals.first?.message.contains("123456") == true)
            let both = try await requester.explain(token, #""channelName":"Test","account":"ann""#)
            #expect(Set(both.codes) == ["wrongChannel", "wrongUser"])
            let service = try await requester.explain(token, #""service":"rtm","userId":"1234""#)
            #expect(service.codes == ["missingService"])
            let altered = try await requester.explain("007eJw", #""channelName":"test","uid":1234"#)
            #expect(altered.codes == ["malformed"] && altered.content == nil)
            #expect(try await requester.explain("").codes == ["malformed"])

            // As in requests, which is how the one who asks knows the service.
            let combined = try await requester.explain(token, #""service":"rtc+rtm","channelName":"test","uid":1234"#)
            #expect(combined.codes.isEmpty)
            let chat = try await requester.explain(token, #""service":"chat-user","userId":"ann""#)
            #expect(chat.codes == ["missingService"])

            let missing = try await requester.error("{}", .request, .init(type: "token.explain"))
            #expect(missing.code == "missing_field" && missing.field == "token")
            let two = try await requester.error(
                #"{"token":"007","uid":1,"account":"a"}"#, .request, .init(type: "token.explain"))
            #expect(two.code == "field_not_applicable")
            let elsewhere = try await requester.error("{}", .renew, .init(type: "token.explain"))
            #expect(elsewhere.code == "unsupported_type" && elsewhere.message.contains("routing key request"))
        }
    }
}
