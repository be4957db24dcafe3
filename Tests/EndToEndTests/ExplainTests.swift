// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// What is wrong with a token, asked over the queue.
@Suite(.timeLimit(.minutes(3)))
struct ExplainTests {
    struct Report: Decodable {
        struct Finding: Decodable {
            var code: String
            var message: String
        }
        struct Content: Decodable {
            var version: String
            var appId: String
        }
        var accepted: Bool
        var refusals: [Finding]
        var remarks: [Finding]
        var content: Content?

        var codes: [String] { refusals.map(\.code) }
    }

    @Test func everyReasonIsNamed() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            func explain(_ body: String) async throws -> Report {
                let message = try await requester.ask(body, .request, .init(type: "token.explain"))
                guard message.properties.type == "token.explained" else { throw TestFailure(message.text) }
                return try message.json()
            }
            let token = try await requester.token(#"{"channelName":"test","uid":1234,"notify":false}"#).token
            let right = try await explain(#"{"token":"\#(token)","channelName":"test","uid":1234}"#)
            #expect(right.accepted && right.codes.isEmpty)
            #expect(right.content?.version == "007" && right.content?.appId == WorkerProcess.appID)

            let user = try await explain(#"{"token":"\#(token)","channelName":"test","uid":123456}"#)
            #expect(user.codes == ["wrongUser"])
            #expect(user.refusals.first?.message.contains("123456") == true)
            let both = try await explain(#"{"token":"\#(token)","channelName":"Test","account":"ann"}"#)
            #expect(Set(both.codes) == ["wrongChannel", "wrongUser"])
            let service = try await explain(#"{"token":"\#(token)","service":"rtm","userId":"1234"}"#)
            #expect(service.codes == ["missingService"])
            let altered = try await explain(#"{"token":"007eJw","channelName":"test","uid":1234}"#)
            #expect(altered.codes == ["malformed"] && altered.content == nil)
            #expect(try await explain(#"{"token":""}"#).codes == ["malformed"])

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
