// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("Durations in messages")
struct TimeFieldTests {
    private func request(_ rest: String) -> String { #"{"channelName":"c","uid":1,\#(rest)}"# }

    private func check(_ rest: String, _ code: ErrorCode, _ field: String, says: String) throws {
        let refusal = Refusal(request(rest), code, field, says)
        let error = try #require(try refusal.error(TokenRequest.decode))
        #expect(error.code == code)
        #expect(error.field == field)
        #expect(error.message.contains(says), "\(error.message)")
    }

    @Test("B04: a point in time is no lifetime, in seconds or milliseconds", arguments: ["1796000000", "1796000000.0"])
    func b04(value: String) throws {
        try check(#""expire":\#(value)"#, .invalidExpire, "expire", says: "looks like a time since 1970;")
        try check(#""expire":1796000000000"#, .invalidExpire, "expire", says: "in milliseconds")
        try check(#""expire":3600000"#, .invalidExpire, "expire", says: "looks like milliseconds")
        try check(
            #""privilegeExpire":1796000000"#, .invalidPrivilegeExpire, "privilegeExpire", says: "looks like a time")
        try check(#""notify":{"before":[1796000000]}"#, .invalidNotify, "notify.before", says: "looks like a time")
    }

    @Test("B05: no lifetime above a day", arguments: ["604800", "86401"])
    func b05(value: String) throws {
        try check(#""expire":\#(value)"#, .invalidExpire, "expire", says: "1 to 86400")
    }

    @Test("B50: no lifetime of zero, while a privilege of zero ends with the token")
    func b50() throws {
        try check(#""expire":0"#, .invalidExpire, "expire", says: "expire is 0")
        let body = Array(request(#""expire":600,"privilegeExpire":{"publishAudioStream":0}"#).utf8)
        let grant = try Grant(TokenRequest.decode(body), appID: Samples.appID, defaultLifetime: 3600)
        #expect(grant.privileges(issuedAt: 1000).map(\.seconds) == [1600, 1600, 1600, 1600])
        let refusal = Refusal(#"{"service":"rtm","userId":"u1","expire":0}"#, .invalidExpire, "expire", "")
        #expect(try refusal.error(TokenRequest.decode)?.code == .invalidExpire)
    }

    @Test(
        "Every other wrong lifetime says what is right",
        arguments: [
            ("-1", "expire is -1"), ("null", "expire is null"), ("\"3600\"", "without quotes"),
            ("59.5", "expire is 59.5"),
            ("true", "expire is true"), ("{}", "expire is an object"), ("1e30", "expire is 1e30"),
        ])
    func expire(value: String, says: String) throws {
        try check(#""expire":\#(value)"#, .invalidExpire, "expire", says: says)
    }

    @Test(
        "Privileges have times of their own",
        arguments: [
            (#"{"joinChannel":null}"#, ErrorCode.invalidPrivilegeExpire, "privilegeExpire.joinChannel", "null"),
            (#"{"joinChannel":"60"}"#, .invalidPrivilegeExpire, "privilegeExpire.joinChannel", "without quotes"),
            (#"{"joinChannel":-1}"#, .invalidPrivilegeExpire, "privilegeExpire.joinChannel", "-1"),
            (#"{"login":60}"#, .fieldNotApplicable, "privilegeExpire.login", "no privilege of service rtc"),
            (#"{"shareScreen":60}"#, .unknownField, "privilegeExpire.shareScreen", "no privilege of any"),
            ("[60]", .invalidPrivilegeExpire, "privilegeExpire", "an array"),
            ("null", .invalidPrivilegeExpire, "privilegeExpire", "null"),
            ("\"60\"", .invalidPrivilegeExpire, "privilegeExpire", "without quotes"),
        ])
    func privilegeExpire(value: String, code: ErrorCode, field: String, says: String) throws {
        try check(#""privilegeExpire":\#(value)"#, code, field, says: says)
    }

    @Test("B06: a subscriber has no times for publishing", arguments: ["60", "0"])
    func b06(value: String) throws {
        try check(
            #""role":2,"privilegeExpire":{"publishVideoStream":\#(value)}"#, .invalidPrivilegeExpire,
            "privilegeExpire.publishVideoStream", says: "a subscriber does not have")
        let body = Array(request(#""role":"subscriber""#).utf8)
        let grant = try Grant(TokenRequest.decode(body), appID: Samples.appID, defaultLifetime: 3600)
        #expect(grant.privileges(issuedAt: 0).map(\.privilege) == [.joinChannel])
    }

    @Test("No privilege outlasts the token, be its lifetime asked for or the default")
    func longPrivileges() throws {
        for (rest, field) in [
            (#""expire":60,"privilegeExpire":61"#, "privilegeExpire"),
            (#""privilegeExpire":3601"#, "privilegeExpire"),
            (#""expire":60,"privilegeExpire":{"joinChannel":61}"#, "privilegeExpire.joinChannel"),
        ] {
            let request = try TokenRequest.decode(Array(request(rest).utf8))
            let error = #expect(throws: MessageError.self) {
                try Grant(request, appID: Samples.appID, defaultLifetime: 3600)
            }
            #expect(error?.code == .invalidPrivilegeExpire)
            #expect(error?.field == field)
        }
    }

    @Test(
        "A wrong notify says what is right",
        arguments: [
            ("true", ErrorCode.invalidNotify, "notify", "notify is true"), ("null", .invalidNotify, "notify", "null"),
            ("[30]", .invalidNotify, "notify", "an array"), ("30", .invalidNotify, "notify", "notify is 30"),
            ("{}", .missingField, "notify.before", "no before"),
            (#"{"before":30}"#, .invalidNotify, "notify.before", "an array"),
            (#"{"before":null}"#, .invalidNotify, "notify.before", "null"),
            (#"{"before":[30,"5"]}"#, .invalidNotify, "notify.before", "without quotes"),
            (#"{"before":[-1]}"#, .invalidNotify, "notify.before", "-1"),
            (#"{"before":[1.5]}"#, .invalidNotify, "notify.before", "1.5"),
            (#"{"before":[86401]}"#, .invalidNotify, "notify.before", "86400"),
            (#"{"before":[1,2,3,4,5,6,7,8,9]}"#, .invalidNotify, "notify.before", "9 values"),
            (#"{"before":[30],"after":1}"#, .unknownField, "notify.after", "not a field"),
        ])
    func notify(value: String, code: ErrorCode, field: String, says: String) throws {
        try check(#""notify":\#(value)"#, code, field, says: says)
    }
}
