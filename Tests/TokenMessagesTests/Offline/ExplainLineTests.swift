// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Foundation
import Testing
import TokenMessages

@Suite struct ExplainLineTests {
    private let appID: AppID
    private let certificate: AppCertificate
    private let token: String

    init() throws {
        appID = try AppID("970CA35de60c44645bbae8a215061b33")
        certificate = try AppCertificate("5CFd2fd1755d40ecb72977518be15d3b")
        token = try AccessToken.rtc(
            appID: appID, channel: "test", user: 1234, lifetime: 3_600, issuedAt: 1_790_000_000, salt: 1
        ).signed(with: certificate)
    }

    private func answer(_ line: String, accepted: Bool) throws -> [String: Any] {
        let answer = ExplainLine.answer(Array(line.utf8), projects: [appID: [certificate]])
        #expect(answer.isAccepted == accepted)
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.line)) as? [String: Any])
    }

    @Test func `A token is accepted for its user and refused for another`() throws {
        let good = try answer(
            #"{"id":"a","token":"\#(token)","channelName":"test","uid":1234,"at":1790000060}"#, accepted: true)
        #expect(good["id"] as? String == "a")
        #expect(good["accepted"] as? Bool == true)
        let content = try #require(good["content"] as? [String: Any])
        #expect(content["expiresAt"] as? Int == 1_790_003_600)
        #expect((content["services"] as? [[String: Any]])?.first?["channelName"] as? String == "test")

        let bad = try answer(
            #"{"id":7,"token":"\#(token)","channelName":"test","uid":123456,"at":1790000060}"#, accepted: false)
        #expect(bad["id"] as? Int == 7)
        let refusal = try #require((bad["refusals"] as? [[String: Any]])?.first)
        #expect(refusal["code"] as? String == "wrongUser")
        #expect((refusal["agoraError"] as? [String: Any])?["code"] as? Int == 110)
    }

    @Test func `A line may bring its own certificate`() throws {
        let line =
            #"{"token":"\#(token)","appId":"\#(appID)","appCertificate":"00000000000000000000000000000000","#
            + #""channelName":"test","uid":1234,"at":1790000060}"#
        let refusals = try answer(line, accepted: false)["refusals"] as? [[String: Any]]
        #expect(refusals?.map { $0["code"] as? String } == ["wrongCertificate"])
    }

    @Test(arguments: [
        (#"{"channelName":"c"}"#, "missing_field"),
        (#"{"token":5}"#, "invalid_token"),
        (#"{"token":"","service":"x"}"#, "unsupported_service"),
        (#"{"token":"","chanel":"x"}"#, "unknown_field"),
        (#"{"token":"","appId":"970CA35de60c44645bbae8a215061b33"}"#, "missing_field"),
    ])
    func `A bad line is answered with what is wrong`(line: String, code: String) throws {
        let error = try answer(line, accepted: false)["error"] as? [String: Any]
        #expect(error?["code"] as? String == code)
    }
}
