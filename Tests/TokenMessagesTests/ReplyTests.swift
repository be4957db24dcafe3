// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing
import TokenMessages

@Suite("Replies")
struct ReplyTests {
    private let issued: UInt32 = 1_790_000_000

    private func reply(_ grant: Grant, leads: [UInt32] = [30], lease: Bool = true) -> TokenReply {
        TokenReply(
            token: "007abc", grant: grant, issuedAt: issued,
            lease: lease ? (id: "device-1", generation: 1_790_000_000_123_456) : nil,
            leads: Leads(leads, lifetime: grant.duration))
    }

    private func foundation(_ body: [UInt8]) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(body)) as? NSDictionary)
    }

    @Test("An issued token's reply has the members of the contract")
    func members() throws {
        let read = try foundation(reply(Samples.grant()).encode())
        let wanted: NSDictionary = [
            "token": "007abc", "leaseId": "device-1", "generation": 1_790_000_000_123_456, "appId": Samples.appID,
            "service": "rtc", "channelName": "test", "uid": 1234, "issuedAt": 1_790_000_000,
            "expiresAt": 1_790_003_600, "expiresIn": 3600, "renewAfter": 1_790_003_570, "notifyBefore": [30],
            "privileges": [
                "joinChannel": 1_790_003_600, "publishAudioStream": 1_790_003_600, "publishVideoStream": 1_790_003_600,
                "publishDataStream": 1_790_003_600,
            ], "scheduled": true, "warnings": [] as [String],
        ]
        #expect(read == wanted)
    }

    @Test("Without a lease there is no lease id, and nothing is scheduled")
    func withoutLease() throws {
        let read = try foundation(reply(Samples.grant(), lease: false).encode())
        #expect(read["leaseId"] == nil)
        #expect(read["generation"] == nil)
        #expect(read["scheduled"] as? Bool == false)
        #expect(read["notifyBefore"] as? [Int] == [])
        #expect(read["renewAfter"] as? Int == 1_790_002_400)
    }

    @Test("The times mean the lease's end, and renewAfter the first lead as applied")
    func times() {
        let short = reply(Samples.grant(privileges: [PrivilegeTime(.joinChannel, 40)]), leads: [300, 30, 5])
        #expect(short.expiresAt == issued + 40)
        #expect(short.expiresIn == 40)
        #expect(short.notifyBefore == [20, 5])
        #expect(short.renewAfter == issued + 20)
        #expect(short.warnings.count == 2)
        #expect(short.privileges.map(\.seconds) == [issued + 40, issued + 3600, issued + 3600, issued + 3600])
        #expect(reply(Samples.grant(), leads: []).renewAfter == issued + 2400)
    }

    @Test(
        "B01: the reply says whether a number or a name was signed",
        arguments: [
            (UserIdentity.uid(1234), "uid"), (.account("1234"), "account"),
        ])
    func b01(user: UserIdentity, field: String) throws {
        let scope = TokenScope(service: .rtc, channelName: "c", user: user)
        let read = try foundation(reply(Samples.grant(scope: scope)).encode())
        #expect(Set(["uid", "account", "userId"]).filter { read[$0] != nil } == [field])
    }

    @Test("A client reads what a worker writes, and passes over what it does not know")
    func clients() throws {
        let issued = Reply.issued(
            reply(
                Samples.grant(
                    scope: TokenScope(
                        service: .rtcRTM, channelName: "c", user: .account("a b")))))
        let renewed = Reply.renewed(reply(Samples.grant(), lease: false))
        let cancelled = Reply.cancelled(
            CancelledReply(
                leaseID: "device-1", generation: 5, appID: Samples.appID, scope: Samples.scope, tokenExpiresAt: 7))
        let error = Reply.error(MessageError(.invalidUID, "uid is \"x\"", field: "uid"))
        let plain = Reply.error(MessageError(.internal, "later"))
        for reply in [issued, renewed, cancelled, error, plain] {
            #expect(try Reply(type: reply.type, body: reply.encode()) == reply)
            let more = Array("{\"later\":[1,{\"x\":null}],".utf8) + reply.encode().dropFirst()
            #expect(try Reply(type: reply.type, body: more) == reply)
        }
        #expect(throws: ReplyError.self) { try Reply(type: "token.batch", body: []) }
        #expect(throws: ReplyError.self) { try Reply(type: "token.issued", body: Array("{}".utf8)) }
        #expect(throws: ReplyError.self) { try Reply(type: "token.error", body: Array("{\"error\":7}".utf8)) }
    }

    @Test("B17: a cancel says that the token itself goes on")
    func b17() throws {
        let reply = CancelledReply(
            leaseID: "device-1", generation: 5, appID: Samples.appID, scope: Samples.scope,
            tokenExpiresAt: 1_790_003_600)
        let read = try foundation(reply.encode())
        #expect(read["tokenExpiresAt"] as? Int == 1_790_003_600)
        #expect((read["warnings"] as? [String])?.contains { $0.contains("stays valid") } == true)
    }

    @Test("An error reply has the members of the contract")
    func errors() throws {
        let error = MessageError(.invalidChannelName, "no", field: "channelName")
        #expect(
            try foundation(error.encode()) == [
                "error": ["code": "invalid_channel_name", "message": "no", "field": "channelName", "retryable": false]
            ])
        let later = Array(#"{"error":{"code":"too_late","message":"no","retryable":true}}"#.utf8)
        let read = try MessageError(later)
        #expect(read.code == .internal)
        #expect(read.isRetryable)
        #expect(read.message == "too_late: no")
        #expect(read.retryAfter == nil)
        let limited = MessageError(.rateLimited, "no", retryAfter: 7)
        #expect(
            try foundation(limited.encode()) == [
                "error": ["code": "rate_limited", "message": "no", "retryable": true, "retryAfter": 7]
            ])
        #expect(try MessageError(limited.encode()) == limited)
        let atOnce = Array(#"{"error":{"code":"internal","message":"no","retryable":true,"retryAfter":0}}"#.utf8)
        #expect(try MessageError(atOnce).retryAfter == nil)
        // It travels by value through everything.
        #expect(MemoryLayout<MessageError>.size == 56)
        for wrong in ["-1", "1.5", "\"7\"", "4294967296"] {
            let body = #"{"error":{"code":"rate_limited","message":"no","retryable":true,"retryAfter":\#(wrong)}}"#
            #expect(throws: ReplyError.self) { try MessageError(Array(body.utf8)) }
        }
    }

    @Test("The properties say what a reply is, and take nothing else over")
    func properties() {
        let request = RequestProperties(kind: .request)
        let error = ReplyProperties(
            .error(MessageError(.missingField, "no")), to: request, messageID: "r-1", timestamp: 5)
        #expect(error.type == "token.error")
        #expect(error.status == "error")
        #expect(error.errorCode == .missingField)
        let ok = ReplyProperties(.issued(reply(Samples.grant())), to: request, messageID: "r-1", timestamp: 5)
        #expect(ok.type == "token.issued")
        #expect(ok.status == "ok")
        #expect(ok.errorCode == nil)
        #expect(ok.contentType == "application/json")
    }

    @Test("Codes are lower case with underlines, and invalid ones name their field")
    func codes() {
        for code in ErrorCode.allCases {
            #expect(code.rawValue.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) })
        }
        #expect(Set(ErrorCode.allCases.map(\.rawValue)).count == ErrorCode.allCases.count)
    }
}
