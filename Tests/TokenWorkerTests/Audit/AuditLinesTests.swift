// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import AgoraToken
import Foundation
import LeaseStore
import Testing
import TokenMessages

@testable import TokenWorker

/// What the audit says of each outcome of a batch.
@Suite struct AuditLinesTests {
    private let file: TemporaryDatabase
    private let bench: Bench

    init() throws {
        file = try TemporaryDatabase()
        let policy = try Policy(
            """
            {rules: [{name: "orders", for: {users: ["ann"]}, allow: {channels: ["orders*"], rate: {perSecond: 1, burst: 4}}},
                     {name: "others", allow: {}}]}
            """)
        bench = try Bench(store: file.database.open(), policy: policy, isAudited: true)
    }

    /// The lines that a message leads to, and the reply.
    private func lines(
        _ kind: MessageKind = .request, body: String, type: String? = nil, user: String = "ann",
        replyTo: String? = "amq.gen-1"
    ) throws -> (lines: [[String: Any]], reply: [UInt8]) {
        let delivery = Bench.delivery(kind, body, replyTo: replyTo) { properties in
            properties.userID = user
            properties.type = type
            properties.messageID = "m-1-\(body.hashValue)"
        }
        let batch = try bench.issue([delivery])
        #expect(batch.audit.isEmpty || batch.audit.last == UInt8(ascii: "\n"))
        let lines = try batch.audit.split(separator: UInt8(ascii: "\n")).map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        }
        #expect(!String(decoding: batch.audit, as: UTF8.self).contains("007eJ"))
        return (lines, batch.entries.first?.message.body ?? [])
    }

    private func token(_ body: [UInt8]) throws -> TokenReply { try TokenReply(body) }

    @Test func aTokenAndItsRenewalAndItsEnd() throws {
        let (issued, first) = try lines(body: #"{"channelName":"orders-1","uid":7,"leaseId":"call"}"#)
        let reply = try token(first)
        let line = try #require(issued.first)
        #expect(issued.count == 1)
        #expect(line["event"] as? String == "issued" && line["kind"] as? String == "request")
        #expect(line["caller"] as? String == "u-ann" && line["rule"] as? String == "orders")
        #expect(line["correlationId"] as? String == "c1" && (line["messageId"] as? String)?.hasPrefix("m-1") == true)
        #expect(line["leaseId"] as? String == "call" && line["generation"] as? Int == reply.generation.map { Int($0) })
        #expect(line["appId"] as? String == Bench.appID && line["service"] as? String == "rtc")
        #expect(line["channelName"] as? String == "orders-1" && line["uid"] as? Int == 7)
        #expect(line["issuedAt"] as? Int == Int(reply.issuedAt) && line["expiresAt"] as? Int == Int(reply.expiresAt))
        #expect((line["privileges"] as? [String: Int])?["publishAudioStream"] == Int(reply.expiresAt))
        #expect(line["tokenSHA256"] as? String == Hex.encode(SHA256.hash(Array(reply.token.utf8))))
        #expect((line["time"] as? String)?.hasPrefix("2026-") == true)

        let (renewed, second) = try lines(.renew, body: #"{"leaseId":"call"}"#)
        #expect(renewed.map { $0["event"] as? String } == ["renewed"])
        let next = try token(second)
        #expect(renewed[0]["generation"] as? Int == next.generation.map { Int($0) })
        #expect(renewed[0]["rule"] as? String == "orders" && next.generation != reply.generation)
        let (cancelled, _) = try lines(.cancel, body: #"{"leaseId":"call"}"#)
        #expect(
            cancelled.map { $0["event"] as? String } == ["cancelled"] && cancelled[0]["leaseId"] as? String == "call")
        #expect(cancelled[0]["rule"] as? String == "orders" && cancelled[0]["tokenSHA256"] == nil)
    }

    @Test func refusalsSayWhatWasRefusedByWhichRule() throws {
        let (denied, _) = try lines(body: #"{"channelName":"hr","account":"bo","role":2}"#)
        #expect(denied.count == 1 && denied[0]["event"] as? String == "refused")
        #expect(denied[0]["code"] as? String == "policy_denied" && denied[0]["rule"] as? String == "orders")
        #expect(denied[0]["channelName"] as? String == "hr" && denied[0]["account"] as? String == "bo")
        #expect(denied[0]["role"] as? String == "subscriber" && denied[0]["expire"] as? Int == 3600)
        for _ in 0..<4 { _ = try lines(body: #"{"channelName":"orders","uid":1}"#) }
        let (limited, _) = try lines(body: #"{"channelName":"orders","uid":1}"#)
        #expect(limited.map { $0["code"] as? String } == ["rate_limited"] && limited[0]["rule"] as? String == "orders")
        let (malformed, _) = try lines(body: "{", user: "ben")
        #expect(malformed.map { $0["code"] as? String } == ["malformed_json"] && malformed[0]["rule"] == nil)
        let (lost, _) = try lines(body: "{}", user: "ben", replyTo: nil)
        #expect(lost.map { $0["code"] as? String } == ["missing_reply_to"])
        let (missing, _) = try lines(.renew, body: #"{"leaseId":"nothing"}"#, user: "ben")
        #expect(
            missing.map { $0["code"] as? String } == ["lease_not_found"] && missing[0]["kind"] as? String == "renew")
    }

    @Test func eachItemOfABatchHasALine() throws {
        let (lines, _) = try lines(
            body: #"{"requests":[{"channelName":"orders","uid":1},{"channelName":"hr","uid":1},{"uid":1}]}"#)
        #expect(lines.map { $0["event"] as? String } == ["issued", "refused", "refused"])
        #expect(lines.map { $0["code"] as? String } == [nil, "policy_denied", "missing_field"])
        #expect(lines.allSatisfy { $0["caller"] as? String == "u-ann" && $0["correlationId"] as? String == "c1" })
    }

    @Test func whatSignsNothingHasNone() throws {
        #expect(try lines(body: #"{"channelName":"orders","uid":1,"dryRun":true}"#).lines.isEmpty)
        #expect(try lines(body: #"{"token":""}"#, type: "token.explain").lines.isEmpty)
        let silent = try Bench(store: file.database.open())
        #expect(try silent.issue([Bench.delivery(#"{"channelName":"a","uid":1}"#)]).audit.isEmpty)
    }

    /// Values of messages cannot make a line look like two, or like another.
    @Test func namesOfStrangersStayWithinTheirLine() throws {
        let delivery = Bench.delivery(#"{"channelName":"a","uid":1}"#) { properties in
            properties.appID = "x\"\n{\"event\":\"issued\"}\u{2028}"
            properties.correlationID = Array("\n\"}\u{0}".utf8) + [0xFF]
        }
        let audit = try bench.issue([delivery]).audit
        #expect(audit.count(where: { $0 == UInt8(ascii: "\n") }) == 1)
        let line = try #require(try JSONSerialization.jsonObject(with: Data(audit)) as? [String: Any])
        #expect(line["correlationId"] as? String == "\n\"}\u{0}\u{FFFD}")
    }
}
