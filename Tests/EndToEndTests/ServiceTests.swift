// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import TestSupport
import Testing

/// Every service of the contract, from request to cancel.
@Suite(.timeLimit(.minutes(3)))
struct ServiceTests {
    struct Case: Sendable {
        let service: String
        let fields: String
        /// What the token grants, as `verify_token.py` names services and privileges.
        let granted: [String: [String: Int]]

        init(_ service: String, _ fields: String, _ granted: [String: [String: Int]]) {
            self.service = service
            self.fields = fields
            self.granted = granted
        }

        var body: String { #"{"service":"\#(service)","expire":600\#(fields.isEmpty ? "" : ",")\#(fields)}"# }
    }

    static let cases = [
        Case("rtc", #""channelName":"c","uid":1"#, ["rtc": ["1": 0, "2": 0, "3": 0, "4": 0]]),
        Case("rtm", #""userId":"u""#, ["rtm": ["1": 600]]),
        Case(
            "rtc+rtm", #""channelName":"c","account":"a","userId":"s","role":2,"privilegeExpire":{"login":300}"#,
            ["rtc": ["1": 0], "rtm": ["1": 300]]),
        Case("chat-user", #""userId":"u""#, ["chat": ["1": 600]]),
        Case("chat-app", "", ["chat": ["2": 600]]),
        Case("fpa", "", ["fpa": ["1": 0]]),
        Case(
            "apaas-room-user", #""roomUuid":"r","userUuid":"u","apaasRole":2"#,
            ["apaas": ["1": 600], "rtm": ["1": 600], "chat": ["1": 600]]),
        Case("apaas-user", #""userUuid":"u""#, ["apaas": ["2": 600]]),
        Case("apaas-app", "", ["apaas": ["3": 600]]),
        Case("rtm2", #""userId":"u","permissions":{"users":{"read":["v","w"]}}"#, ["rtm2": ["1": 600]]),
        Case("convoai", #""channelName":"c","uid":2,"role":2"#, ["rtc": ["1": 0], "rtm": ["1": 600], "convoai": [:]]),
        Case("stt", #""channelName":"c","uid":3,"role":2"#, ["rtc": ["1": 0], "rtm": ["1": 600], "stt": [:]]),
        Case("streaming", #""channelName":"c","uid":4"#, ["streaming": ["1": 0, "2": 0]]),
        Case("fcdn", #""channelName":"c","uid":5,"privilegeExpire":60"#, ["fcdn": ["1": 60, "2": 60]]),
    ]

    @Test func eachServiceLivesTheLifeOfALease() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            var leases: Set<String> = []
            for one in Self.cases {
                let issued = try await requester.token(one.body)
                #expect(issued.service == one.service)
                let renewed = try await requester.token(#"{"token":"\#(issued.token)"}"#, .renew)
                #expect(renewed.leaseId == issued.leaseId)
                #expect(renewed.privileges.keys == issued.privileges.keys)
                for finding in try await Verifier.read([issued.token, renewed.token]) {
                    #expect(finding.signed)
                    var granted: [String: [String: Int]] = [:]
                    for service in finding.services ?? [] { granted[service.name ?? "?"] = service.privileges }
                    #expect(granted == one.granted, "\(one.service)")
                }
                let lease = try #require(issued.leaseId)
                let cancelled = try await requester.ask(#"{"token":"\#(renewed.token)"}"#, .cancel)
                #expect(cancelled.properties.type == "token.cancelled", "\(cancelled.text)")
                leases.insert(lease)
            }
            #expect(leases.count == Self.cases.count)
        }
    }

    @Test func tokensOfVersion006AreRenewedByTheirLease() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let certificate = try AppCertificate(WorkerProcess.certificate)
            let issued = try await requester.token(#"{"channelName":"old","uid":7,"version":"006","expire":600}"#)
            let first = try LegacyToken.parse(issued.token)
            #expect(first.isSigned(by: certificate, channel: "old", account: "7"))
            #expect(first.privileges[1] == UInt32(issued.expiresAt))
            #expect(issued.expiresIn == 600)

            let renewed = try await requester.token(#"{"token":"\#(issued.token)","expire":700}"#, .renew)
            #expect(renewed.leaseId == issued.leaseId && renewed.expiresIn == 700)
            #expect(try LegacyToken.parse(renewed.token).isSigned(by: certificate, channel: "old", account: "7"))
            let stale = try await requester.error(#"{"token":"\#(issued.token)"}"#, .renew)
            #expect(stale.code == "lease_superseded")

            // Signed with another certificate, by the same salt and second.
            var forged = LegacyToken.rtc(
                appID: try AppID(WorkerProcess.appID), channel: "old", user: 7, privilegesUntil: 0)
            let current = try LegacyToken.parse(renewed.token)
            forged.salt = current.salt
            forged.expiresAt = current.expiresAt
            let text = try forged.signed(with: AppCertificate(String(repeating: "0", count: 32)))
            for kind in [Requester.Kind.renew, .cancel] {
                let refused = try await requester.error(#"{"token":"\#(text)"}"#, kind)
                #expect(refused.code == "token_signature_invalid")
            }
            let login = try await requester.token(#"{"service":"rtm","userId":"u","version":"006"}"#)
            let cancelled = try await requester.ask(#"{"token":"\#(login.token)"}"#, .cancel)
            #expect(cancelled.properties.type == "token.cancelled", "\(cancelled.text)")
        }
    }

    @Test func noticesNameThePrivilegesThatEnd() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            _ = try await requester.token(
                #"{"service":"fcdn","channelName":"c","uid":5,"expire":8,"privilegeExpire":{"publish":4},"#
                    + #""notify":{"before":[2]},"leaseId":"cdn"}"#)
            struct Privileges: Decodable {
                struct Body: Decodable { var privileges: [String: Int] }
                var data: Body
            }
            let names = try await firstAnswer(within: .seconds(20), "three notices") {
                let messages = try requester.driver.messages(in: requester.notices)
                let names = try messages.map { message in
                    try message.routingKey + " "
                        + message.json(Privileges.self).data.privileges.keys.sorted().joined(separator: ",")
                }
                return names.count == 3 ? names : nil
            }
            #expect(
                names == [
                    "will_expire.fcdn.anonymous publish", "will_expire.fcdn.anonymous play",
                    "expired.fcdn.anonymous play",
                ])
        }
    }

    @Test func aDryRunSignsNothingAndMakesNoLease() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            struct Reply: Decodable {
                var token: String?
                var leaseId: String?
                var dryRun: Bool
                var scheduled: Bool
                var expiresIn: Int
                var notifyBefore: [Int]
                var warnings: [String]
                var privileges: [String: Int]
            }
            let body = #"{"channelName":"c","uid":0,"expire":20,"notify":{"before":[30]},"leaseId":"x","dryRun":true}"#
            let message = try await requester.ask(body)
            #expect(message.properties.type == "token.issued")
            let reply = try message.json(Reply.self)
            #expect(reply.token == nil && reply.leaseId == nil && reply.dryRun && !reply.scheduled)
            #expect(reply.expiresIn == 20 && reply.notifyBefore == [10] && reply.warnings.count == 2)
            #expect(reply.privileges.count == 4)
            #expect(try await requester.error(#"{"leaseId":"x"}"#, .renew).code == "lease_not_found")
            let wrong = try await requester.error(#"{"channelName":"c","uid":-1,"dryRun":true}"#)
            #expect(wrong.code == "invalid_uid")
        }
    }
}
