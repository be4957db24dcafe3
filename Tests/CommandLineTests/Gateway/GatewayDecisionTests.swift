// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenClient
import TokenMessages
import TokenWorker

@testable import agora_token

/// What the gateway decides without a connection.
@Suite struct GatewayDecisionTests {
    private func origins(_ text: String) throws -> AllowedOrigins {
        try AllowedOrigins(value(of: .allowOrigin, text))
    }

    private func secret(_ text: String) throws -> BearerSecret {
        try BearerSecret(value(of: .gatewaySecret, text))
    }

    private func value(of setting: Setting, _ text: String) throws -> SettingSources.Value {
        try #require(try SettingSources(environment: [setting.variable: text]).value(of: setting))
    }

    @Test func everyRefusalHasAStatus() {
        for code in ErrorCode.allCases {
            let error = GatewayError(MessageError(code, "x", field: "y"))
            #expect((400...599).contains(error.status), "\(code)")
            #expect(error.code == code.rawValue && error.field == "y")
            #expect((error.retryAfter != nil) == code.isRetryable)
            if code.rawValue.hasPrefix("invalid_") { #expect(error.status == 400, "\(code)") }
        }
        #expect(GatewayError.status(of: .policyDenied) == 403)
        #expect(GatewayError.status(of: .rateLimited) == 429)
        for (after, field) in [(nil, "1"), (1, "1"), (950, "950")] as [(UInt32?, String)] {
            let answer = GatewayError(MessageError(.rateLimited, "x", retryAfter: after)).answer
            #expect(answer.fields.filter { $0.name == "Retry-After" } == [HTTPField("Retry-After", field)])
        }
    }

    @Test(arguments: [
        ClientError.timedOut, .unavailable("amqp://broker.internal:5672: refused"), .cancelled, .unreadable("x"),
    ])
    func whatIsNotTheClientsFaultIsToBeTriedAgain(_ error: ClientError) {
        let answer = GatewayError(error).answer
        #expect(answer.status >= 500)
        #expect(answer.fields.contains { $0.name == "Retry-After" })
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("internal:5672"))
    }

    @Test func theSecretIsComparedAsAWhole() throws {
        let secret = try secret("0123456789abcdef")
        #expect(secret.isShown(by: ["Bearer 0123456789abcdef"]))
        #expect(secret.isShown(by: ["BEARER   0123456789abcdef "]))
        for values in [
            [], [""], ["Bearer"], ["Bearer "], ["0123456789abcdef"], ["Bearer 0123456789abcde"],
            ["Bearer 0123456789abcdef0123456789abcdef"], ["Bearer 0123456789abcdeg"], ["Bearer 0123456789abcdef x"],
            ["Bearer 0123456789abcdef", "Bearer 0123456789abcdef"], ["Basic 0123456789abcdef"],
        ] { #expect(!secret.isShown(by: values), "\(values)") }
        for text in ["", "0123456789abcde", "0123456789 abcdef", "0123456789abcdefä"] {
            #expect(throws: ConfigurationError.self) { try self.secret(text) }
        }
    }

    /// A page of evil.net, whose owner has the name lead to 127.0.0.1, is of the origin that it asks.
    @Test func withoutASecretTheSameOriginIsThisMachine() throws {
        let none = AllowedOrigins()
        for host in ["localhost", "localhost:80", "app.localhost", "127.0.0.1:8080", "127.1.2.3", "[::1]:8", "[::1]"] {
            #expect(none.admits(origin: "http://\(host)", host: host, isForThisMachine: true), "\(host)")
        }
        for host in ["evil.net:8080", "127.0.0.1.evil.net", "localhost.evil.net", "127.0.0.evil", "notlocalhost"] {
            let origin = "http://\(host)"
            #expect(!none.admits(origin: origin, host: host, isForThisMachine: true), "\(host)")
            #expect(none.admits(origin: origin, host: host), "a secret is asked for")
            #expect(try origins(origin).admits(origin: origin, host: host, isForThisMachine: true), "it is allowed")
        }
        #expect(none.admits(origin: nil, host: "evil.net", isForThisMachine: true), "a client that is no browser")
    }

    @Test func originsAreComparedAsAWhole() throws {
        let some = try origins("https://app.example.com http://localhost:3000")
        for origin in ["https://app.example.com", "HTTPS://App.Example.Com", "http://localhost:3000"] {
            #expect(some.admits(origin: origin, host: "gateway"))
        }
        for origin in [
            "https://app.example.com.evil.net", "http://app.example.com", "https://app.example.com:444", "null", "",
        ] { #expect(!some.admits(origin: origin, host: "gateway"), "\(origin)") }
        #expect(some.admits(origin: nil, host: nil), "a client that is no browser")
        #expect(some.admits(origin: "https://gateway", host: "gateway"), "a page of the same origin")
        #expect(some.fields(for: "https://evil.net").map(\.name) == ["Vary"])
        let all = try origins("*")
        #expect(all.admits(origin: "https://anything", host: nil))
        #expect(all.fields(for: "https://anything") == [HTTPField("Access-Control-Allow-Origin", "*")])
        #expect(!AllowedOrigins().admits(origin: "http://evil.net", host: "127.0.0.1:8080"))
        for text in ["app.example.com", "https://", "https://a/b", "https://*.example.com", "ftp://a"] {
            #expect(throws: ConfigurationError.self) { try origins(text) }
        }
    }

    @Test func bodiesAreReadAsTheContractReadsThem() throws {
        let body = Array(#"{"uid":1234,"ChannelName":"test","role":2}"#.utf8)
        let plain = try GatewayRequest.read(body, keepsLeases: false)
        #expect(plain.scope == TokenScope(service: .rtc, channelName: "test", user: .uid(1234)))
        #expect(plain.role == .subscriber && plain.notify == .none)
        #expect(try GatewayRequest.read(body, keepsLeases: true).notify == .standard)
        let asked = Array(#"{"uid":1,"channelName":"c","notify":{"before":[60]},"leaseId":"mine"}"#.utf8)
        #expect(try GatewayRequest.read(asked, keepsLeases: true).notify == .before([60]))
        #expect(throws: MessageError.self) { try GatewayRequest.read(asked, keepsLeases: false) }
        for text in ["", "{", "null", "\u{FEFF}{}", #"{"uid":1,"channelName":"c","dryRun":true}"#] {
            #expect(throws: MessageError.self) { try GatewayRequest.read(Array(text.utf8), keepsLeases: true) }
        }
    }
}
