// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@Suite struct TokenReportTests {
    private let sample: Sample

    init() throws {
        sample = try Sample()
    }

    @Test func `A good token is accepted without a remark`() throws {
        let report = sample.report(try sample.rtc())
        #expect(report.isAccepted)
        #expect(report.remarks.isEmpty)
        guard case .current(let token) = report.content else {
            Issue.record("the token was not read")
            return
        }
        #expect(token.expiresAt == UInt64(sample.issuedAt) + 3_600)
    }

    @Test func `Signed for uid 1234 and joined as 123456, the mistake of Agora's own sample`() throws {
        let report = sample.report(try sample.rtc(user: 1234), user: 123_456)
        let refusal = try #require(report.refusals.first)
        #expect(report.refusals.count == 1)
        #expect(refusal.code == .wrongUser)
        #expect(refusal.message == "The token is for uid 1234, but the client joins as uid 123456.")
        #expect(refusal.agoraError?.code == 110)
    }

    @Test(arguments: [
        (RTCUser.uid(1234), RTCUser.uid(0), "Agora picks a uid"),
        (.account("alice"), .uid(5), "joins with the number 5"),
        (.uid(1234), .account("alice"), "is the account \"alice\""),
        (.account("Alice"), .account("alice"), "upper and lower case only"),
        (.account("alice "), .account("alice"), "white space only"),
        (.account("0"), .uid(7), "not a wildcard"),
    ])
    func `Every other confusion of users is refused and named`(made: RTCUser, joins: RTCUser, words: String) throws {
        let report = sample.report(try sample.rtc(user: made), user: joins)
        let refusal = try #require(report.refusals.first)
        #expect(report.refusals.map(\.code) == [.wrongUser])
        #expect(refusal.message.contains(words), "\(refusal.message)")
        #expect(refusal.agoraError == .rtcInvalidToken)
        #expect(!refusal.advice.isEmpty)
    }

    @Test func `A number and a text that look alike pack alike, which a remark says`() throws {
        let report = sample.report(try sample.rtc(user: 1234), user: .account("1234"))
        #expect(report.isAccepted)
        #expect(report.remarks.map(\.code) == [.ambiguousUser])
    }

    @Test func `A token for any user is accepted, which a remark says`() throws {
        let report = sample.report(try sample.rtc(user: 0), user: 77)
        #expect(report.isAccepted)
        #expect(report.remarks.map(\.code) == [.anyUser])
    }

    @Test func `Another channel is refused, and a difference in case only is named`() throws {
        let other = sample.report(try sample.rtc(channel: "lobby"))
        #expect(other.refusals.map(\.code) == [.wrongChannel])
        #expect(other.refusals.first?.agoraError?.code == 110)
        let similar = sample.report(try sample.rtc(channel: "Test"))
        #expect(similar.refusals.first?.message.contains("case only") == true)
    }

    @Test func `The channel of any name needs a user`() throws {
        let subscriber = sample.report(try sample.rtc(channel: "*", role: .subscriber))
        #expect(subscriber.isAccepted)
        #expect(subscriber.remarks.map(\.code) == [.anyChannel, .notPublishing])
        #expect(sample.report(try sample.rtc(channel: "*", user: 0)).refusals.map(\.code) == [.wrongUser])
    }

    @Test func `Expired and invalid are never confused`() throws {
        let token = try sample.rtc()
        let late = sample.report(token, after: 3_600)
        #expect(late.refusals.map(\.code) == [.expired])
        #expect(late.refusals.first?.agoraError?.code == 109)
        #expect(sample.report(token, after: 3_599).isAccepted)
        let other = TokenReport(
            token, projects: [sample.appID: [try AppCertificate(String(repeating: "0", count: 32))]],
            channel: "test", user: 1234, at: sample.issuedAt + 60)
        #expect(other.refusals.map(\.code) == [.wrongCertificate])
        #expect(other.refusals.first?.agoraError?.code == 110)
    }

    @Test func `All reasons are given at once`() throws {
        let report = TokenReport(
            try sample.rtc(), projects: [sample.appID: [try AppCertificate(String(repeating: "0", count: 32))]],
            channel: "other", user: 9, at: sample.issuedAt + 4_000)
        #expect(report.refusals.map(\.code) == [.wrongCertificate, .expired, .wrongChannel, .wrongUser])
    }

    @Test func `A token of the future is not yet valid`() throws {
        let report = TokenReport(
            try sample.rtc(), projects: [sample.appID: [sample.certificate]], channel: "test", user: 1234,
            at: sample.issuedAt - 30)
        #expect(report.refusals.map(\.code) == [.notYetValid])
        #expect(report.refusals.first?.message.contains("in 30 s") == true)
    }

    @Test func `Any certificate of the project will do, and an unknown project is named`() throws {
        let old = try AppCertificate(String(repeating: "a", count: 32))
        let token = try sample.rtc()
        #expect(
            TokenReport(
                token, projects: [sample.appID: [old, sample.certificate]], channel: "test", user: 1234,
                at: sample.issuedAt
            ).isAccepted)
        let unknown = TokenReport(
            token, projects: [try AppID(String(repeating: "b", count: 32)): [old]], channel: "test", user: 1234,
            at: sample.issuedAt)
        #expect(unknown.refusals.map(\.code) == [.unknownProject])
        let unchecked = TokenReport(token, channel: "test", user: 1234, at: sample.issuedAt)
        #expect(unchecked.remarks.map(\.code) == [.signatureNotChecked])
    }

    @Test func `Agora ends a token after a day, whatever it says`() throws {
        let week = try sample.rtc(lifetime: 604_800)
        #expect(sample.report(week).remarks.map(\.code) == [.lifetimeTooLong])
        #expect(sample.report(week, after: 86_400).refusals.map(\.code) == [.expired])
        let date = try sample.rtc(lifetime: sample.issuedAt + 3_600)
        #expect(sample.report(date).remarks.first?.advice.contains("looks like a date") == true)
    }

    @Test func `A join privilege that ended is expired, one that is missing is invalid`() throws {
        let short = sample.report(try sample.rtc(privilegeLifetime: 30))
        #expect(short.refusals.map(\.code) == [.expiredPrivilege])
        #expect(short.refusals.first?.agoraError?.code == 109)
        let token = try sample.token(.rtc(channel: "test", account: "1234", privileges: [2: 600]))
        let missing = sample.report(token)
        #expect(missing.refusals.map(\.code) == [.missingPrivilege])
        #expect(missing.refusals.first?.agoraError?.code == 110)
    }

    @Test func `A publish privilege that ended leaves the token accepted`() throws {
        let token = try sample.token(
            .rtc(channel: "test", account: "1234", privileges: [1: 0, 2: 30, 3: 600, 4: 600]))
        let report = sample.report(token)
        #expect(report.isAccepted)
        #expect(report.remarks.map(\.message) == ["The privilege to publish audio has run out."])
    }

    @Test func `A login to messaging has errors of its own`() throws {
        let token = try AccessToken.rtm(
            appID: sample.appID, userID: "alice", lifetime: 600, issuedAt: sample.issuedAt, salt: 1
        ).signed(with: sample.certificate)
        #expect(sample.report(token, user: "alice").isAccepted)
        #expect(sample.report(token, user: "bob").refusals.first?.agoraError == .rtmInvalidToken)
        #expect(sample.report(token, user: "alice", after: 600).refusals.first?.agoraError == .rtmTokenExpired)
        let call = sample.report(token, service: .rtc, user: "alice")
        #expect(call.refusals.map(\.code) == [.missingService])
    }

    @Test func `Of several services of one kind, the one that fits counts`() throws {
        let token = try AccessToken(
            appID: sample.appID, issuedAt: sample.issuedAt, lifetime: 600, salt: 1,
            services: [
                .rtc(channel: "lobby", account: "1234", privileges: RTCRole.publisher.privileges(0)),
                .rtc(channel: "test", account: "1234", privileges: RTCRole.publisher.privileges(0)),
            ]
        ).signed(with: sample.certificate)
        #expect(sample.report(token).isAccepted)
        #expect(sample.report(token, channel: "hall").refusals.count == 1)
    }

    @Test(arguments: ["", "hello", "007", "007!", "007aW52YWxpZA==", "006invalid", "005abc", " 007"])
    func `What is no token is malformed, and says so`(text: String) {
        let report = sample.report(text)
        #expect(report.content == nil)
        #expect(report.refusals.count == 1)
        #expect([.malformed, .unsupportedVersion].contains(report.refusals.first?.code))
        #expect(report.refusals.first?.agoraError?.code == 110)
    }

    @Test(arguments: [
        ("", "There is no token: the text is empty."),
        ("00112233445566778899aabbccddeeff", "This is an App ID or App Certificate, not a token."),
        ("970CA35de60c44645bbae8a215061b33", "This is an App ID or App Certificate, not a token."),
    ])
    func `An App ID and nothing are named, with what clients report`(text: String, message: String) throws {
        let refusal = try #require(sample.report(text).refusals.first)
        #expect(refusal.message == message)
        #expect(refusal.advice.contains("dynamic use static key"))
    }

    @Test func `Control characters of a token do not reach the terminal`() throws {
        let report = sample.report(try sample.rtc(channel: "a\u{1b}[2J\u{202e}b"))
        let message = try #require(report.refusals.first).message
        #expect(message.contains("a\\u{1b}[2J\\u{202e}b"))
    }
}
