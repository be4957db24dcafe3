// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing
import TokenMessages

@Suite struct SignLineTests {
    private static let appID = "970CA35de60c44645bbae8a215061b33"
    private static let certificate = "5CFd2fd1755d40ecb72977518be15d3b"

    /// The tokens that the official Python code made, as lines.
    private static func vectors() throws -> [String: [[String: Any]]] {
        let file = URL(filePath: #filePath).appending(
            path: "../../../AgoraTokenTests/Vectors/random.json"
        ).standardizedFileURL
        return try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: [[String: Any]]])
    }

    private func answer(_ line: String) throws -> [String: Any] {
        let answer = SignLine.answer(Array(line.utf8))
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.line)) as? [String: Any])
    }

    private func code(_ line: String) throws -> String? {
        let object = try answer(line)
        #expect(object["token"] == nil)
        return (object["error"] as? [String: Any])?["code"] as? String
    }

    @Test func `Entries of the vector file give their tokens`() throws {
        let vectors = try Self.vectors()
        var count = 0
        for (kind, version) in [("accessToken2", "007"), ("accessToken", "006")] {
            for var entry in try #require(vectors[kind]) {
                let token = entry.removeValue(forKey: "token") as? String
                entry["version"] = version
                let line = try JSONSerialization.data(withJSONObject: entry)
                let answer = try answer(String(decoding: line, as: UTF8.self))
                #expect(answer["token"] as? String == token)
                #expect(answer["id"] as? String == entry["id"] as? String)
                count += 1
            }
        }
        #expect(count == 700)
    }

    @Test(arguments: [
        ("", "malformed_json"),
        ("[]", "malformed_json"),
        (#"{"appId":"x"}"#, "invalid_app_id"),
        (#"{"expire":1,"appId":"x"}"#, "invalid_app_id"),
        (#"{"expire":1,"appId":5}"#, "invalid_app_id"),
        (#"{"version":"005"}"#, "unsupported_version"),
        (#"{"expires":1}"#, "unknown_field"),
        (#"{"expire":"60"}"#, "missing_field"),
        (#"{"expire":4294967296,"appId":"970CA35de60c44645bbae8a215061b33"}"#, "invalid_expire"),
    ])
    func `A bad line is answered with what is wrong`(line: String, expected: String) throws {
        #expect(try code(line) == expected)
    }

    @Test(arguments: [
        ("{}", "invalid_services"),
        ("[5]", "invalid_services"),
        (#"[{"type":"x"}]"#, "unsupported_service"),
        (#"[{"type":"rtm","privileges":{}}]"#, "missing_field"),
        (#"[{"type":"rtm","privileges":{"x":1},"userId":"u"}]"#, "invalid_services"),
        (#"[{"type":"rtm","privileges":{"1":-1},"userId":"u"}]"#, "invalid_services"),
        (#"[{"type":"rtm","privileges":{"1":1},"userId":"u","account":"u"}]"#, "unknown_field"),
        (#"[{"type":"rtc","privileges":{},"channelName":"c","uid":1,"account":"u"}]"#, "field_not_applicable"),
        (#"[{"type":"rtm2","privileges":{},"userId":"u","permissions":{"0":{"0":"x"}}}]"#, "invalid_services"),
        ("[]", "invalid_services"),
    ])
    func `A bad service is answered with what is wrong`(services: String, expected: String) throws {
        let line =
            #"{"id":1,"appId":"\#(Self.appID)","appCertificate":"\#(Self.certificate)","expire":60,"#
            + #""services":\#(services)}"#
        #expect(try code(line) == expected)
        #expect(try answer(line)["id"] as? Int == 1)
    }

    @Test func `No answer repeats a certificate`() throws {
        for line in [
            #"{"expire":1,"appId":"\#(Self.certificate)x"}"#, #"{"\#(Self.certificate)":1}"#,
            #"{"appId":"\#(Self.appID)","appCertificate":"\#(Self.certificate)!","expire":1,"services":[]}"#,
        ] {
            let answer = SignLine.answer(Array(line.utf8))
            #expect(!answer.isSigned)
            #expect(!String(decoding: answer.line, as: UTF8.self).contains(Self.certificate))
        }
    }
}
