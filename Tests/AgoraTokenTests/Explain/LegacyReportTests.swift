// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@Suite struct LegacyReportTests {
    private let sample: Sample
    private let token: String

    init() throws {
        sample = try Sample()
        token = try LegacyToken.rtc(
            appID: sample.appID, channel: "test", user: 1234, privilegesUntil: sample.issuedAt + 600,
            expiresAt: sample.issuedAt + 86_400, salt: 1
        ).signed(with: sample.certificate)
    }

    @Test func `A good token is accepted`() {
        #expect(sample.report(token).isAccepted)
    }

    @Test func `Channel and user are compared by their checksums`() {
        #expect(sample.report(token, channel: "lobby").refusals.map(\.code) == [.wrongChannel])
        #expect(sample.report(token, user: 123_456).refusals.map(\.code) == [.wrongUser])
        #expect(sample.report(token, channel: nil).remarks.map(\.code) == [.signatureNotChecked])
    }

    @Test func `Another certificate is invalid, a late join expired`() throws {
        let other = TokenReport(
            token, projects: [sample.appID: [try AppCertificate(String(repeating: "0", count: 32))]],
            channel: "test", user: 1234, at: sample.issuedAt)
        #expect(other.refusals.map(\.code) == [.wrongCertificate])
        #expect(sample.report(token, after: 600).refusals.map(\.code) == [.expiredPrivilege])
        #expect(sample.report(token, after: 86_400).refusals.map(\.code) == [.expired])
        #expect(sample.report(token, after: 86_400).refusals.first?.agoraError?.code == 109)
    }

    @Test func `A login to messaging is checked against its user`() throws {
        let login = try LegacyToken.rtm(
            appID: sample.appID, userID: "alice", privilegesUntil: 0, expiresAt: sample.issuedAt + 600, salt: 1
        ).signed(with: sample.certificate)
        #expect(sample.report(login, user: "alice").isAccepted)
        #expect(sample.report(login, user: "bob").refusals.first?.agoraError == .rtmInvalidToken)
    }
}
