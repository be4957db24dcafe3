// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing
import TokenMessages

@Suite("Grants and Agora's own tokens")
struct GrantTokenTests {
    /// A request and the token that Agora's builders make for the same wishes.
    struct Official: Sendable, CustomStringConvertible {
        let builder: String
        let body: String
        let token: String

        var description: String { builder }
    }

    static let official = [
        Official(
            builder: "RtcTokenBuilder2.buildTokenWithUid",
            body: #"{"channelName":"7d72365eb983485397e3e3f9d460bdda","uid":2882341273,"expire":3600}"#,
            token:
                "007eJxTYOCdfPXTLnmmj+qdgq9yv+/g1Q1adjhi/34tra25v7uUbeoVGCzNDZwdjU1TUs0Mkk1MzExMk5ISUy0SjQxNDcwMk4yN3b8"
                + "IMAjwMTAwMoAwIwMLmMXAwAQmmcEkC5hUYDBPMTcyNjNNTbK0MDaxMDW2NE81TjVOs0wxMTNISklJ5GIwsrAwMjYxNDI3BgB3hCRz"
        ),
        Official(
            builder: "RtcTokenBuilder2.buildTokenWithUid, privilegeExpire 600",
            body: #"{"channelName":"7d72365eb983485397e3e3f9d460bdda","uid":2882341273,"role":1,"expire":600,"#
                + #""privilegeExpire":600}"#,
            token:
                "007eJxTYDhuGCT90E3Yo2+N3efJV5hX1K1MZAqae/Sa8UP9VXvOhfArMFiaGzg7GpumpJoZJJuYmJmYJiUlplokGhmaGpgZJhkbu38"
                + "RYIhgYmBgZABhRgYWIAbxmcAkM5hkAZMKDOYp5kbGZqapSZYWxiYWpsaW5qnGqcZplikmZgZJKSmJXAxGFhZGxiaGRubGAKizJcs="
        ),
        Official(
            builder: "RtcTokenBuilder2.buildTokenWithUserAccount",
            body: #"{"channelName":"test channel","account":"alice","role":"publisher","expire":3600,"#
                + #""privilegeExpire":{"joinChannel":3600,"publishAudioStream":3600,"publishVideoStream":3600,"#
                + #""publishDataStream":3600}}"#,
            token:
                "007eJxTYHASvTBpgk7nJsmLH567Nr87FCOaln37apXir7WdrwVWWjIoMFiaGzg7GpumpJoZJJuYmJmYJiUlplokGhmaGpgZJhkbH7hdmib"
                + "Ax8Dg8IiRAQRZgBjEZwKTzGCSBUzyMJSkFpcoJGck5uWl5rAyJOZkJqcCADeCJAo="),
        Official(
            builder: "RtcTokenBuilder2.buildTokenWithRtm, publisher",
            body: #"{"service":"rtc+rtm","channelName":"7d72365eb983485397e3e3f9d460bdda","account":"test_user","#
                + #""expire":3600,"privilegeExpire":1800}"#,
            token:
                "007eJxTYMgPvzxXVbj6J6fy3jN2s/MqfMLUnuz0147ha7Hbop9a81KBwdLcwNnR2DQl1cwg2cTEzMQ0KSkx1SLRyNDUwMwwydj4wO3SNAE"
                + "+BgaHR4wMTAyMDCxAzMHOAGSDSGYwyQImFRjMU8yNjM1MU5MsLYxNLEyNLc1TjVON0yxTTMwMklJSEjkZSlKLS+JLi1OLQEYxMoAMRhIEAJs"
                + "TK0s="),
        Official(
            builder: "RtcTokenBuilder2.buildTokenWithRtm, subscriber",
            body: #"{"service":"rtc+rtm","channelName":"7d72365eb983485397e3e3f9d460bdda","account":"test_user","#
                + #""role":2,"expire":3600,"privilegeExpire":1800}"#,
            token:
                "007eJxTYOhtN9du7d2ZbXy5f3mn86xzvnbBAouEpXca8lcdcW37eF+BwdLcwNnR2DQl1cwg2cTEzMQ0KSkx1SLRyNDUwMwwydj4wO3SNAE"
                + "+BgaHR4wMTAyMYMjBzsCgwGCeYm5kbGaammRpYWxiYWpsaZ5qnGqcZpliYmaQlJKSyMlQklpcEl9anFoE0QgyBkkQAAHbK7A="),
        Official(
            builder: "RtmTokenBuilder2.buildToken", body: #"{"service":"rtm","userId":"test_user","expire":3600}"#,
            token:
                "007eJxTYOC4f7q3f3rWZjZzH6eTlwXmlSokfUq+lW7Kdunjkxd1SrIKDJbmBs6OxqYpqWYGySYmZiamSUmJqRaJRoamBmaGScbGB26XpgnwM"
                + "TA4PGJkYGRgYgCRID4nQ0lqcUl8aXFqEQCCvB/s"),
    ]

    @Test("A request grants what Agora's builder signs", arguments: official)
    func builders(official: Official) throws {
        let request = try TokenRequest.decode(Array(official.body.utf8))
        let grant = try Grant(request, appID: Samples.appID, defaultLifetime: 60)
        let theirs = try AccessToken.parse(official.token)
        let token = try grant.accessToken(issuedAt: theirs.issuedAt, salt: theirs.salt)
        #expect(token.services == theirs.services)
        #expect(try token.signed(with: AppCertificate(Samples.certificate)) == official.token)
    }

    @Test("A token tells its grant, so that it can be renewed without a store", arguments: official)
    func fromToken(official: Official) throws {
        let request = try TokenRequest.decode(Array(official.body.utf8))
        let wanted = try Grant(request, appID: Samples.appID, defaultLifetime: 60)
        let grant = try Grant(AccessToken.parse(official.token))
        #expect(grant.scope == wanted.scope)
        #expect(grant.scope.packed == wanted.scope.packed)
        #expect(grant.role == wanted.role)
        #expect(grant.end(issuedAt: 5) == wanted.end(issuedAt: 5))
        #expect(
            try grant.accessToken(issuedAt: 9, salt: 9).services == wanted.accessToken(issuedAt: 9, salt: 9).services)
    }

    @Test("A token of other services cannot be renewed here")
    func foreign() throws {
        let chat = Service.chat(userID: "bob", privileges: [1: 60])
        let call = Service.rtc(channel: "c", account: "bob", privileges: [1: 60])
        let combinations: [[Service]] = [
            [chat, call], [call, call], [.rtc(channel: "c", account: "b", privileges: [9: 60])],
            [call, .rtm(userID: "", privileges: [1: 60])],
            [
                .apaas(room: "r", user: "u", role: 1, privileges: [1: 60]), .rtm(userID: "other", privileges: [1: 60]),
                chat,
            ],
        ]
        for services in combinations {
            let token = AccessToken(
                appID: try AppID(Samples.appID), issuedAt: 1, lifetime: 60, salt: 1, services: services)
            let text = try token.signed(with: AppCertificate(Samples.certificate))
            let error = #expect(throws: MessageError.self) { try Grant(AccessToken.parse(text)) }
            #expect(error?.code == .unsupportedService)
            #expect(error?.message.contains(text) == false)
        }
    }

    @Test("The packed scope does not tell uid 12345 from account 12345; the wildcard is empty")
    func packed() {
        func scope(_ user: UserIdentity) -> [UInt8] {
            TokenScope(service: .rtc, channelName: "c", user: user).packed
        }
        #expect(scope(.uid(12345)) == scope(.account("12345")))
        #expect(scope(.uid(0)) == [1, 0, 1, 0, 99, 0, 0])
        #expect(scope(.account("0")) == [1, 0, 1, 0, 99, 1, 0, 48])
        #expect(UserIdentity(packed: "0") == .account("0"))
        #expect(UserIdentity(packed: "007") == .account("007"))
        #expect(UserIdentity(packed: "+7") == .account("+7"))
        #expect(UserIdentity(packed: "4294967296") == .account("4294967296"))
        #expect(UserIdentity(packed: "4294967295") == .uid(.max))
    }
}
