// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import AgoraToken
import LeaseStore
import Testing
import TokenMessages

@testable import TokenWorker

/// What becomes of tokens and leases when the other certificate signs, with one store for all stages.
@Suite struct CertificateRotationTests {
    private let file: TemporaryDatabase
    /// The stages of a rotation: one certificate, both and the old one signs, both and the new one signs, the new one.
    private let before, prepared, switched, done: Bench
    private let old, new: AppCertificate

    init() throws {
        file = try TemporaryDatabase()
        let id = try AppID(Bench.appID)
        old = try AppCertificate(Bench.certificate)
        new = try AppCertificate("0123456789abcdef0123456789abcdef")
        let first = ProjectCertificate(slot: .primary, value: old)
        let second = ProjectCertificate(slot: .secondary, value: new)
        let store = try file.database.open()
        before = try Bench(store: store, project: Project(appID: id, active: first))
        prepared = try Bench(store: store, project: Project(appID: id, active: first, other: second))
        switched = try Bench(store: store, project: Project(appID: id, active: second, other: first))
        done = try Bench(store: store, project: Project(appID: id, active: second))
    }

    private func isSigned(_ reply: TokenReply, by certificate: AppCertificate) throws -> Bool {
        try AccessToken.parse(reply.token).isSigned(by: certificate)
    }

    private func renewal(_ reply: TokenReply) -> Delivery {
        Bench.delivery(.renew, #"{"token":"\#(reply.token)"}"#)
    }

    private let body = #"{"channelName":"test","uid":1234}"#

    @Test func theActiveCertificateSigns() throws {
        #expect(try isSigned(before.token(for: Bench.delivery(body)), by: old))
        #expect(try isSigned(prepared.token(for: Bench.delivery(body)), by: old))
        #expect(try isSigned(switched.token(for: Bench.delivery(body)), by: new))
    }

    /// Workers change one after the other, so a token of either is renewed by any that has both.
    @Test func tokensOfEitherCertificateAreRenewed() throws {
        let issued = try before.token(for: Bench.delivery(body))
        let renewed = try switched.token(for: renewal(issued))
        #expect(renewed.leaseID == issued.leaseID)
        #expect(try isSigned(renewed, by: new))
        let back = try prepared.token(for: renewal(renewed))
        #expect(try isSigned(back, by: old))
        #expect(try before.error(for: renewal(switched.token(for: renewal(back)))).code == .tokenSignatureInvalid)
        let stale = try before.token(for: Bench.delivery(body))
        #expect(try done.error(for: renewal(stale)).code == .tokenSignatureInvalid)
        #expect(try done.token(for: Bench.delivery(.renew, #"{"leaseId":"\#(stale.leaseID ?? "")"}"#)).warnings == [])
    }

    @Test func aRepeatHasTheFirstCertificateWhileThatIsThere() throws {
        let request = Bench.delivery(body) { $0.messageID = "m1" }
        let first = try before.token(for: request)
        #expect(try prepared.token(for: request).token == first.token)
        let again = try switched.token(for: request)
        #expect(again.token == first.token)
        #expect(again.warnings == [])
        let late = try done.token(for: request)
        #expect(late.generation == first.generation)
        #expect(try isSigned(late, by: new))
        #expect(late.warnings.contains { $0.contains("no longer configured") })
    }

    @Test func legacyTokensAreProvedByEither() throws {
        let issued = try before.token(for: Bench.delivery(#"{"channelName":"test","uid":5,"version":"006"}"#))
        let renewed = try switched.token(for: renewal(issued))
        #expect(renewed.leaseID == issued.leaseID)
        let other = try before.token(for: Bench.delivery(#"{"channelName":"test","uid":6,"version":"006"}"#))
        #expect(try done.error(for: renewal(other)).code == .tokenSignatureInvalid)
    }

    @Test func withoutLeasesTokensOfEitherAreRenewed() throws {
        let one = try Bench(project: before.project)
        let two = try Bench(project: switched.project)
        let issued = try one.token(for: Bench.delivery(body))
        #expect(try isSigned(two.token(for: renewal(issued)), by: new))
        #expect(try Bench(project: done.project).error(for: renewal(issued)).code == .tokenSignatureInvalid)
    }

    @Test func explanationsKnowBoth() throws {
        let issued = try before.token(for: Bench.delivery(body))
        let question = Bench.delivery(#"{"token":"\#(issued.token)","channelName":"test","uid":1234}"#) {
            $0.type = "token.explain"
        }
        let now = Int64(issued.issuedAt) * 1000
        for (bench, isAccepted) in [(switched, true), (done, false)] {
            guard case .explained(let reply) = try bench.reply(to: question, now: now) else {
                throw Bench.Missing(what: "an explanation")
            }
            #expect(reply.isAccepted == isAccepted)
        }
    }
}
