// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import AgoraToken
import Testing
import TokenMessages

@testable import TokenWorker

/// Tokens without a store.
@Suite struct LooseTokenTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    @Test func theDocumentedRequestGetsAVerifiableToken() throws {
        let reply = try bench.token(for: Bench.delivery(#"{"channelName":"test","uid":1234,"role":1}"#))
        let token = try AccessToken.parse(reply.token)
        #expect(token.isSigned(by: bench.project.certificate))
        #expect(token.issuedAt == 1_790_000_000)
        #expect(token.lifetime == 3600)
        #expect(reply.expiresAt == 1_790_003_600)
        #expect(reply.renewAfter == 1_790_002_400)
        #expect(!reply.isScheduled)
        #expect(reply.leaseID == nil)
        #expect(reply.warnings == ["this worker keeps no leases: no notices will come"])
    }

    @Test func aRenewalNeedsNothingButTheToken() throws {
        let first = try bench.token(for: Bench.delivery(#"{"channelName":"test","uid":1234,"expire":600}"#))
        let renewal = Bench.delivery(.renew, #"{"token":"\#(first.token)"}"#)
        let second = try bench.token(for: renewal, now: 1_790_000_300_000)
        #expect(second.token != first.token)
        #expect(second.expiresAt == 1_790_000_900)
        #expect(second.scope == first.scope)
        #expect(try bench.error(for: renewal, now: 1_790_000_600_000).code == .tokenExpired)
    }

    @Test func tokensOfOthersAreNotRenewed() throws {
        let stranger = try AppCertificate("00000000000000000000000000000000")
        let forged = try AccessToken.rtc(
            appID: bench.project.appID, channel: "test", user: 1, lifetime: 600, issuedAt: 1_790_000_000
        ).signed(with: stranger)
        let foreign = try AccessToken.rtc(
            appID: AppID("00000000000000000000000000000000"), channel: "test", user: 1, lifetime: 600,
            issuedAt: 1_790_000_000
        ).signed(with: stranger)
        for (token, code) in [
            (forged, ErrorCode.tokenSignatureInvalid), (foreign, .unknownProject), ("007nonsense", .tokenMalformed),
        ] {
            #expect(try bench.error(for: Bench.delivery(.renew, #"{"token":"\#(token)"}"#)).code == code)
        }
    }

    @Test func withoutAStoreThereIsNothingToCancelOrToFindByID() throws {
        #expect(try bench.error(for: Bench.delivery(.cancel, #"{"leaseId":"a"}"#)).code == .leaseNotFound)
        #expect(try bench.error(for: Bench.delivery(.renew, #"{"leaseId":"a"}"#)).code == .leaseNotFound)
    }
}
