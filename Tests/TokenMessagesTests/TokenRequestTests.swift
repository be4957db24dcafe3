// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("Requests")
struct TokenRequestTests {
    private func decode(_ body: String) throws(MessageError) -> TokenRequest {
        try TokenRequest.decode(Array(body.utf8))
    }

    @Test("Channel, uid and role are complete")
    func smallest() throws {
        let request = try decode(#"{"channelName":"test","uid":1234,"role":1}"#)
        #expect(request == TokenRequest(channelName: "test", user: .uid(1234)))
        #expect(request.role == .publisher)
        #expect(request.expire == nil)
    }

    @Test(
        "Every way to write a right value is taken",
        arguments: [
            #"{"channelName":"c","uid":0}"#, #"{"channelName":"c","uid":4294967295}"#,
            #"{"channelName":"c","uid":7.0}"#,
            #"{"channelName":"c","uid":1e3}"#, #"{"uid":1,"channelName":"c","role":"subscriber"}"#,
            #"{"channelName":"c","uid":1,"role":2.0}"#, #"{"channelName":"c","account":"0"}"#,
            #"{"service":"rtm","userId":"u1"}"#, #"{"service":"rtc+rtm","channelName":"c","account":"alice"}"#,
            #"{"channelName":"c","uid":1,"expire":86400,"privilegeExpire":86400}"#,
            #"{"channelName":"c","uid":1,"privilegeExpire":0}"#, #"{"channelName":"c","uid":1,"privilegeExpire":{}}"#,
            #"{"channelName":"c","uid":1,"notify":false}"#, #"{"channelName":"c","uid":1,"notify":{"before":[]}}"#,
            #"{"channelName":"c","uid":1,"notify":{"before":[1,2,3,4,5,6,7,86400]}}"#,
            #"{"channelName":"c","uid":1,"leaseId":"A-z0.9_:"}"#, #"{"channelName":"c","uid":1,"version":"007"}"#,
            #"{"channelName":"c","uid":1,"appId":"970CA35de60c44645bbae8a215061b33"}"#,
        ])
    func taken(body: String) {
        #expect(throws: Never.self) { try decode(body) }
    }

    @Test(
        "A wrong uid or account is refused by its own code",
        arguments: [
            Refusal(#"{"channelName":"c"}"#, .missingField, "uid", "neither uid nor account"),
            Refusal(#"{"channelName":"c","uid":null}"#, .invalidUID, "uid", "uid is null"),
            Refusal(#"{"channelName":"c","uid":-1}"#, .invalidUID, "uid", "uid is -1"),
            Refusal(#"{"channelName":"c","uid":1234.5}"#, .invalidUID, "uid", "uid is 1234.5"),
            Refusal(#"{"channelName":"c","uid":4294967296}"#, .invalidUID, "uid", "0 to 4294967295"),
            Refusal(#"{"channelName":"c","uid":1e99}"#, .invalidUID, "uid", "uid is 1e99"),
            Refusal(#"{"channelName":"c","uid":"1234"}"#, .invalidUID, "uid", "without quotes"),
            Refusal(#"{"channelName":"c","uid":"alice"}"#, .invalidUID, "uid", #"uid is "alice""#),
            Refusal(#"{"channelName":"c","uid":""}"#, .invalidUID, "uid", #"uid is """#),
            Refusal(#"{"channelName":"c","uid":true}"#, .invalidUID, "uid", "uid is true"),
            Refusal(#"{"channelName":"c","uid":[1]}"#, .invalidUID, "uid", "uid is an array"),
            Refusal(#"{"channelName":"c","account":""}"#, .invalidAccount, "account", "account is empty"),
            Refusal(#"{"channelName":"c","account":null}"#, .invalidAccount, "account", "account is null"),
            Refusal(#"{"channelName":"c","account":5}"#, .invalidAccount, "account", "string in quotes"),
            Refusal(#"{"channelName":"c","uid":1,"account":"a"}"#, .fieldNotApplicable, "account", "only one"),
            Refusal(
                #"{"service":"rtc+rtm","channelName":"c","uid":0}"#, .invalidUID, "uid", "rtc+rtm needs one user"),
            Refusal(
                #"{"service":"rtc+rtm","channelName":"c","account":"\#(String(repeating: "a", count: 65))"}"#,
                .invalidAccount, "account", "65 bytes"),
        ])
    func users(refusal: Refusal) throws {
        let error = try #require(try refusal.error(TokenRequest.decode))
        #expect(error.code == refusal.code)
        #expect(error.field == refusal.field)
        #expect(error.message.contains(refusal.says), "\(error.message)")
        #expect(!error.isRetryable)
    }

    @Test(
        "Every other wrong field is refused by its own code",
        arguments: [
            Refusal(#"{"uid":1}"#, .missingField, "channelName", "channelName is missing"),
            Refusal(#"{"uid":1,"channelName":null}"#, .invalidChannelName, "channelName", "null"),
            Refusal(#"{"uid":1,"channelName":7}"#, .invalidChannelName, "channelName", "in quotes"),
            Refusal(#"{"uid":1,"channelName":"c","role":3}"#, .invalidRole, "role", "role is 3"),
            Refusal(#"{"uid":1,"channelName":"c","role":0}"#, .invalidRole, "role", "role is 0"),
            Refusal(#"{"uid":1,"channelName":"c","role":"1"}"#, .invalidRole, "role", "without quotes"),
            Refusal(#"{"uid":1,"channelName":"c","role":"host"}"#, .invalidRole, "role", #"role is "host""#),
            Refusal(#"{"uid":1,"channelName":"c","role":null}"#, .invalidRole, "role", "null"),
            Refusal(#"{"uid":1,"channelName":"c","service":5}"#, .invalidService, "service", "service is 5"),
            Refusal(#"{"uid":1,"channelName":"c","service":null}"#, .invalidService, "service", "null"),
            Refusal(#"{"uid":1,"channelName":"c","service":"RTC"}"#, .unsupportedService, "service", "no service"),
            Refusal(#"{"uid":1,"channelName":"c","appId":"x"}"#, .invalidAppID, "appId", "1 characters"),
            Refusal(#"{"uid":1,"channelName":"c","appId":null}"#, .invalidAppID, "appId", "null"),
            Refusal(
                #"{"uid":1,"channelName":"c","appId":"970CA35de60c44645bbae8a215061b3g"}"#, .invalidAppID, "appId",
                "hexadecimal"),
            Refusal(#"{"uid":1,"channelName":"c","version":7}"#, .invalidVersion, "version", "version is 7"),
            Refusal(#"{"uid":1,"channelName":"c","userId":"u"}"#, .fieldNotApplicable, "userId", "uid or account"),
            Refusal(#"{"uid":1,"channelName":"c","roomUuid":"r"}"#, .fieldNotApplicable, "roomUuid", "rtc"),
            Refusal(#"{"userId":"u","service":"rtm","uid":1}"#, .fieldNotApplicable, "uid", "userId"),
            Refusal(#"{"userId":"u","service":"rtm","role":1}"#, .fieldNotApplicable, "role", "rtm"),
            Refusal(#"{"userId":"","service":"rtm"}"#, .invalidUserID, "userId", "empty"),
            Refusal(#"{"service":"rtm"}"#, .missingField, "userId", "userId is missing"),
            Refusal(#"{"uid":1,"channelName":"c","leaseId":"l-1"}"#, .invalidLeaseID, "leaseId", "worker's own"),
            Refusal(#"{"uid":1,"channelName":"c","leaseId":"a b"}"#, .invalidLeaseID, "leaseId", "a b"),
            Refusal(#"{"uid":1,"channelName":"c","leaseId":""}"#, .invalidLeaseID, "leaseId", "empty"),
            Refusal(
                #"{"uid":1,"channelName":"c","leaseId":"\#(String(repeating: "x", count: 65))"}"#, .invalidLeaseID,
                "leaseId", "1 to 64"),
            Refusal(
                #"{"uid":1,"channelName":"c","leaseId":"d","notify":false}"#, .fieldNotApplicable, "leaseId",
                "no lease"),
        ])
    func fields(refusal: Refusal) throws {
        try users(refusal: refusal)
    }

    @Test(
        "What belongs elsewhere, or is spelt otherwise, is unknown",
        arguments: ["requests", "renewals", "token", "generation", "Uid", "channelname", ""])
    func unknown(name: String) throws {
        let refusal = Refusal(#"{"uid":1,"channelName":"c","\#(name)":1}"#, .unknownField, name, "not a field")
        try users(refusal: refusal)
    }

    @Test(
        "A body that is no JSON object is malformed",
        arguments: [
            "", " ", "not json", "[]", "7", "null", "\"a\"", "{", "{\"uid\":1,}", "{\"uid\":01}", "{} {}", "<request/>",
            "{\"uid\":1,\"uid\":2}", "{'uid':1}",
        ])
    func malformed(body: String) throws {
        let error = try #require(try Refusal(body, .malformedJSON, nil, "").error(TokenRequest.decode))
        #expect(error.code == .malformedJSON)
        #expect(error.field == nil)
    }

    @Test("B08: a request for RTM with a channel instead of a user is refused")
    func b08() throws {
        let refusal = Refusal(
            #"{"service":"rtm","channelName":"room9"}"#, .fieldNotApplicable, "channelName", "not used by service rtm")
        try users(refusal: refusal)
    }

    @Test("B38: what is no request is refused once, with the reason", arguments: ["not json", "", "<a/>"])
    func b38(body: String) throws {
        try malformed(body: body)
    }

    @Test("B21: a request may have leads of its own")
    func b21() throws {
        let request = try decode(#"{"channelName":"c","uid":1,"notify":{"before":[120]}}"#)
        #expect(request.notify == .before([120]))
    }

    @Test("A request comes back as it was written")
    func roundTrip() throws {
        let scopes = [
            TokenScope(service: .rtc, channelName: "a b", user: .uid(0)),
            TokenScope(service: .rtc, channelName: "c", user: .account("alice")),
            TokenScope(service: .rtm, channelName: nil, user: .userID("u")),
            TokenScope(service: .rtcRTM, channelName: "c", user: .uid(.max)),
        ]
        for scope in scopes {
            let login: Privilege = scope.service == .rtm ? .login : .joinChannel
            for privileges in [PrivilegeExpire.asToken, .all(60), .each([PrivilegeTime(login, 30)])] {
                for notify in [NotifyOption.standard, .before([]), .before([60, 30])] {
                    let request = TokenRequest(
                        scope: scope, appID: "970CA35de60c44645bbae8a215061b33", expire: 600,
                        privilegeExpire: privileges, notify: notify, leaseID: "device-1")
                    #expect(try TokenRequest.decode(request.encode()) == request)
                }
            }
        }
        let plain = TokenRequest(
            scope: scopes[0], role: .subscriber, notify: .none)
        #expect(try TokenRequest.decode(plain.encode()) == plain)
    }
}
