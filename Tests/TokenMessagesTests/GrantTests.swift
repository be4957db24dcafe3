// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("Grants")
struct GrantTests {
    @Test("The lease ends with the token, or with the first privilege without which the user is out")
    func end() {
        #expect(Samples.grant().end(issuedAt: 1000) == 4600)
        #expect(Samples.grant(privileges: [PrivilegeTime(.joinChannel, 600)]).end(issuedAt: 1000) == 1600)
        #expect(Samples.grant(privileges: [PrivilegeTime(.publishAudioStream, 300)]).end(issuedAt: 1000) == 4600)
        let both = TokenScope(service: .rtcRTM, channelName: "c", user: .uid(7))
        let grant = Samples.grant(
            scope: both, privileges: [PrivilegeTime(.joinChannel, 600), PrivilegeTime(.login, 500)])
        #expect(grant.end(issuedAt: 1000) == 1500)
        #expect(grant.tokenEnd(issuedAt: 1000) == 4600)
        #expect(Samples.grant().end(issuedAt: .max) == .max)
    }

    @Test("The row's text gives the same grant back")
    func encoding() {
        let scopes = [
            TokenScope(service: .rtc, channelName: "a \\ \" b", user: .uid(0)),
            TokenScope(service: .rtc, channelName: "c", user: .account("0")),
            TokenScope(service: .rtm, channelName: nil, user: .userID("u")),
            TokenScope(service: .rtcRTM, channelName: "c", user: .uid(.max)),
        ]
        for scope in scopes {
            let first = Role.publisher.privileges(of: scope.service)[0]
            for privileges in [
                PrivilegeTimes(role: .publisher, service: scope.service),
                PrivilegeTimes(role: .subscriber, service: scope.service), PrivilegeTimes([]),
                PrivilegeTimes([PrivilegeTime(first, 60)]),
                PrivilegeTimes([PrivilegeTime(.publishDataStream, 0), PrivilegeTime(first, 5)]),
            ] {
                let grant = Grant(appID: Samples.appID, scope: scope, lifetime: 86_400, privileges: privileges)
                #expect(Grant(encoded: grant.encoded) == grant)
            }
        }
    }

    @Test(
        "A row's text of any other form gives no grant",
        arguments: [
            "", "{}", "[]", #"{"appId":"x","service":"rtc","channelName":"c","uid":1,"expire":0,"role":1}"#,
            #"{"appId":"x","service":"chat-user","uid":1,"expire":1,"role":1}"#,
            #"{"appId":"x","service":"rtc","channelName":"c","uid":-1,"expire":1,"role":1}"#,
            #"{"appId":"x","service":"rtc","channelName":"c","uid":1,"expire":1,"role":9}"#,
        ])
    func badEncoding(text: String) {
        #expect(Grant(encoded: Array(text.utf8)) == nil)
    }

    @Test("A wildcard is signed with a warning")
    func warning() {
        let wildcard = Samples.grant(scope: TokenScope(service: .rtc, channelName: "c", user: .uid(0)))
        #expect(wildcard.warnings.count == 1)
        #expect(Samples.grant().warnings.isEmpty)
    }

    @Test("Leads are at most half of the lifetime, descending, each once, and none of zero")
    func leads() {
        let plain = Leads([30], lifetime: 3600)
        #expect(plain.seconds == [30])
        #expect(plain.warnings.isEmpty)
        let clamped = Leads([30, 60, 10, 0, 10], lifetime: 50)
        #expect(clamped.seconds == [25, 10])
        #expect(clamped.warnings.count == 3)
        let short = Leads([30], lifetime: 1)
        #expect(short.seconds.isEmpty)
        #expect(short.warnings == ["no notice 30 s before expiry: at most half of the lease's 1 s"])
        #expect(
            Leads([30, 0], lifetime: 31).warnings == [
                "notice 15 s instead of 30 s before expiry: at most half of the lease's 31 s",
                "no notice 0 s before expiry: that is the expired notice itself",
            ])
        #expect(Leads([30], lifetime: 60).seconds == [30])
        #expect(Leads([30], lifetime: 59).seconds == [29])
        #expect(Leads([], lifetime: 60).seconds.isEmpty)
    }
}
