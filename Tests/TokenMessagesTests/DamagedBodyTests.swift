// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("Damaged bodies")
struct DamagedBodyTests {
    private let bodies = [
        #"{"channelName":"test","uid":1234,"role":1}"#,
        #"{"service":"rtc+rtm","channelName":"a b","account":"x","role":"subscriber","expire":600,"privilegeExpire":"#
            + #"{"joinChannel":60,"login":0},"notify":{"before":[30,5]},"leaseId":"d-1","version":"007"}"#,
        #"{"service":"rtm","userId":"u","privilegeExpire":60,"notify":false,"appId":"970CA35de60c44645bbae8a215061b33"}"#,
        #"{"requests":[{"channelName":"a","uid":1},{"service":"fpa"}]}"#,
        #"{"service":"rtm2","userId":"u","permissions":{"users":{"read":["a","*"]},"messageChannels":{}}}"#,
        #"{"service":"apaas-room-user","roomUuid":"r","userUuid":"u","apaasRole":-1,"dryRun":true}"#,
        #"{"service":"stt","channelName":"c","account":"a","userId":"s","version":"007"}"#,
        #"{"leaseId":"d-1","expire":60,"generation":1790000000123456,"notify":{"before":[]}}"#, #"{"token":"007abc"}"#,
        #"{"error":{"code":"internal","message":"x","retryable":true}}"#,
    ]

    /// Texts that decide something somewhere in a body.
    private let fragments = [
        "null", "-1", "1.5", "1e3", "1e99", "4294967296", "\"1\"", "\"\"", "true", "[]", "{}", "\\u0000", "\\ud800",
        "é",
        "\u{0}", ",", ":", "}", "]", "\"uid\":0,", "99999999999999999999", "\"l-\"",
    ]

    @Test(
        "Nothing but an error comes of one, and what is accepted survives being written again", .timeLimit(.minutes(1)))
    func damaged() throws {
        let reply = TokenReply(
            token: "007abc", grant: Samples.grant(), issuedAt: 5, lease: (id: "d-1", generation: 7),
            leads: Leads([30], lifetime: 3600))
        let notice = Notice(
            kind: .expired, leaseID: "d-1", generation: 7, caller: .anonymous, appID: Samples.appID,
            scope: Samples.scope, expiresAt: 9, privileges: [PrivilegeTime(.joinChannel, 9)], plannedAt: 9,
            timeMilliseconds: 9000, missed: [Notice.Missed(kind: .willExpire, plannedAt: 5)])
        let originals = bodies.map { Array($0.utf8) } + [reply.encode(), notice.encode(), Samples.grant().encoded]
        var random = SplitMix(state: 7)
        var accepted = 0
        for _ in 0..<10_000 {
            let body = damage(originals[Int.random(in: 0..<originals.count, using: &random)], &random)
            if let request = try requestOrError(body) {
                accepted += 1
                #expect(try TokenRequest.decode(request.encode()) == request)
            }
            _ = try? ExplainRequest.decode(body)
            _ = try? MessageBody<TokenRequest>(body)
            _ = try? BatchReply(body)
            _ = try? ExplainedReply(body)
            _ = AutoRenew(encoded: body)
            _ = try? RenewRequest.decode(body)
            _ = try? CancelRequest.decode(body)
            _ = try? TokenReply(body)
            _ = try? CancelledReply(body)
            _ = try? MessageError(body)
            _ = try? Notice(body)
            _ = Grant(encoded: body)
        }
        #expect(accepted > 250)
    }

    private func requestOrError(_ body: [UInt8]) throws -> TokenRequest? {
        do {
            return try TokenRequest.decode(body)
        } catch {
            #expect(!error.message.isEmpty && error.message.utf8.count < 400)
            return nil
        }
    }

    private func damage(_ body: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var body = body
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let place = Int.random(in: 0...body.count, using: &random)
            let end = min(body.count, place + Int.random(in: 0...6, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: body.removeSubrange(place..<end)
            case 1:
                body.replaceSubrange(place..<end, with: fragments.randomElement(using: &random)?.utf8.map { $0 } ?? [])
            case 2 where place < body.count: body[place] = UInt8.random(in: 0...255, using: &random)
            default: body.insert(contentsOf: body[place..<end], at: place)
            }
        }
        return body
    }
}
