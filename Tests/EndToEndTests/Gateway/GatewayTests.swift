// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// What an app's HTTP client gets from the gateway, with a live worker behind it.
@Suite(.timeLimit(.minutes(3)))
struct GatewayTests {
    private static let simplest = #"{"uid":1234,"channelName":"test","role":1}"#

    /// Runs with a worker and a gateway, which have to end well.
    private func withGateway(
        _ arguments: [String] = [], environment: [String: String] = [:],
        _ body: (Scene, GatewayProcess) async throws -> Void
    ) async throws {
        try await Scene.withWorker { scene, _ in
            let gateway = try GatewayProcess(url: scene.host.url, arguments: arguments, environment: environment)
            try await gateway.becomesReady()
            try await body(scene, gateway)
            #expect(try await gateway.stop() == .code(0), "\(gateway.log.suffix(2000))")
        }
    }

    private struct Sample: Sendable, CustomTestStringConvertible {
        let body: String
        let status: Int
        let code: String
        var field: String?
        var testDescription: String { "\(body.prefix(60)) → \(status) \(code)" }
    }

    private static let refusals = [
        Sample(body: "", status: 400, code: "malformed_json"),
        Sample(body: "uid=1234&channelName=test&role=1", status: 400, code: "malformed_json"),
        Sample(body: "[1]", status: 400, code: "malformed_json"),
        Sample(body: #"{"uid":1,"uid":2,"channelName":"test"}"#, status: 400, code: "malformed_json"),
        Sample(body: #"{"uid":"1234","channelName":"test"}"#, status: 400, code: "invalid_uid", field: "uid"),
        Sample(body: #"{"uid":-1,"channelName":"test"}"#, status: 400, code: "invalid_uid", field: "uid"),
        Sample(body: #"{"uid":4294967296,"channelName":"test"}"#, status: 400, code: "invalid_uid", field: "uid"),
        Sample(body: #"{"channelName":"test","role":1}"#, status: 400, code: "missing_field", field: "uid"),
        Sample(body: #"{"uid":1}"#, status: 400, code: "missing_field", field: "channelName"),
        Sample(
            body: #"{"uid":1,"channelName":""}"#, status: 400, code: "invalid_channel_name", field: "channelName"),
        Sample(
            body: #"{"uid":1,"channelName":"room/1"}"#, status: 400, code: "invalid_channel_name",
            field: "channelName"),
        Sample(body: #"{"uid":1,"channelName":"c","role":"host"}"#, status: 400, code: "invalid_role", field: "role"),
        Sample(body: #"{"uid":1,"channelName":"c","role":0}"#, status: 400, code: "invalid_role", field: "role"),
        Sample(
            body: #"{"uid":1,"channelName":"c","expire":604800}"#, status: 400, code: "invalid_expire", field: "expire"),
        Sample(
            body: #"{"uid":1,"channelName":"c","expireTime":60}"#, status: 400, code: "unknown_field",
            field: "expireTime"),
        Sample(
            body: #"{"uid":1,"channelName":"c","ChannelName":"d"}"#, status: 400, code: "unknown_field",
            field: "ChannelName"),
        Sample(
            body: #"{"uid":1,"channelName":"c","leaseId":"x"}"#, status: 400, code: "field_not_applicable",
            field: "leaseId"),
        Sample(
            body: #"{"uid":1,"channelName":"c","autoRenew":{"until":2000000000}}"#, status: 400,
            code: "field_not_applicable", field: "autoRenew"),
        Sample(body: #"{"service":"chat-app"}"#, status: 400, code: "unsupported_service", field: "service"),
        Sample(
            body: #"{"uid":1,"channelName":"c","appId":"00000000000000000000000000000000"}"#, status: 400,
            code: "unknown_project", field: "appId"),
        Sample(body: #"{"requests":[]}"#, status: 400, code: "unknown_field", field: "requests"),
    ]

    @Test func sampleClientsGetTokens() async throws {
        try await withGateway { _, gateway in
            let bodies = [
                Self.simplest, #"{"uid":1234,"ChannelName":"test","role":1}"#,
                #"{"uid":1234,"channelName":"test"}"#,
                #"{"channelName":"test","account":"1234","role":"publisher","expire":3600}"#,
            ]
            for body in bodies {
                let answer = try await gateway.fetch(body)
                #expect(answer.status == 200, "\(answer.body)")
                #expect(answer.fields["content-type"] == "application/json")
                #expect(answer.fields["cache-control"] == "no-store")
                let token = try answer.json(GatewayProcess.Token.self)
                #expect(token.leaseId == nil && token.expiresIn == 3600)
                let finding = try await Verifier.read(token.token)
                #expect(finding.signed && finding.expire == 3600)
                #expect(finding.issuedAt.map { $0 + 3600 } == token.expiresAt)
                #expect(finding.services?.map(\.name) == ["rtc"])
                #expect(finding.services?.map(\.channelName) == ["test"])
                #expect(finding.services?.map(\.account) == ["1234"])
                #expect(finding.services?.first?.privileges.count == 4)
                #expect(!gateway.log.contains(token.token.dropFirst(3)), "a token is in the log")
            }
            #expect(try await gateway.fetch(#"{"uid":0,"channelName":"test"}"#).body.contains("warnings"))
        }
    }

    @Test("B09: a call and messaging have one token, for the user of each")
    func oneTokenForCallAndMessaging() async throws {
        try await withGateway { _, gateway in
            let token = try await gateway.token(#"{"service":"rtc+rtm","uid":44,"channelName":"web"}"#)
            let services = try #require(try await Verifier.read(token.token).services)
            #expect(services.map(\.name) == ["rtc", "rtm"])
            #expect(services[0].channelName == "web" && services[0].account == "44")
            #expect(services[1].userId == "44")
        }
    }

    @Test func whatIsWrongIsSaid() async throws {
        try await withGateway { _, gateway in
            for sample in Self.refusals {
                let answer = try await gateway.fetch(sample.body)
                let error = try answer.json(Contract.ErrorReply.self).error
                #expect(answer.status == sample.status, "\(sample): \(answer.body)")
                #expect(error.code == sample.code, "\(sample): \(answer.body)")
                #expect(error.field == sample.field, "\(sample): \(answer.body)")
            }
            #expect(try await gateway.fetch(#"{"uid":"1234","channelName":"test"}"#).body.contains("without quotes"))
        }
    }

    @Test func methodsAndPaths() async throws {
        try await withGateway { _, gateway in
            for method in ["GET", "HEAD", "PUT", "DELETE", "PATCH"] {
                let answer = try await gateway.send(method)
                #expect(answer.status == 405)
                #expect(answer.fields["allow"] == "POST, OPTIONS")
                #expect(answer.body.isEmpty == (method == "HEAD"))
            }
            #expect(try await gateway.send("POST", "/livez", body: "x").fields["allow"] == "GET, HEAD")
            #expect(try await gateway.send("HEAD", "/readyz").status == 200)
            for path in ["/", "/fetch_rtc_token/", "/fetch_rtm_token", "/metrics", "/%2e%2e/fetch_rtc_token"] {
                let answer = try await gateway.send("POST", path, body: Self.simplest)
                #expect(answer.status == 404, "\(path)")
                #expect(try answer.json(Contract.ErrorReply.self).error.code == "not_found")
            }
            #expect(try await gateway.send("POST", "/fetch_rtc_token?a=b", body: Self.simplest).status == 200)
            let options = try await gateway.send("OPTIONS")
            #expect(options.status == 204 && options.fields["allow"] == "POST, OPTIONS")
            #expect(options.fields["access-control-allow-origin"] == nil)
        }
    }

    @Test("B18: the secret is asked for, compared, and never shown")
    func theSecretIsAskedFor() async throws {
        let secret = "a-secret-of-\(UInt64.random(in: 1 << 60 ... .max))"
        let path = "\(TestEnvironment.scratch)/\(TestEnvironment.uniqueName("secret"))"
        try (secret + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        try await withGateway(["--listen", "0.0.0.0:0", "--secret-file", path]) { _, gateway in
            for shown in ["", secret, "Basic \(secret)", "Bearer \(secret)x", "Bearer \(secret.dropLast())", "Bearer "]
            {
                let answer = try await gateway.fetch(Self.simplest, fields: ["Authorization": shown])
                #expect(answer.status == 401, "\(shown)")
                #expect(answer.fields["www-authenticate"] == #"Bearer realm="agora-token""#)
                #expect(!answer.body.contains("007"))
            }
            for shown in ["Bearer \(secret)", "bearer  \(secret)"] {
                #expect(try await gateway.fetch(Self.simplest, fields: ["Authorization": shown]).status == 200)
            }
            // Monitoring needs none.
            #expect(try await gateway.send("GET", "/readyz").status == 200)
            #expect(!gateway.log.contains(secret))
        }
    }

    @Test func webPagesThatAreAllowedMayAsk() async throws {
        let page = "https://app.example.com"
        try await withGateway(environment: ["AGORA_TOKEN_ALLOW_ORIGIN": "\(page) http://localhost:3000"]) {
            scene, gateway in
            let asked = try await gateway.send(
                "OPTIONS", fields: ["Origin": page, "Access-Control-Request-Method": "POST"])
            #expect(asked.status == 204)
            #expect(asked.fields["access-control-allow-origin"] == page)
            #expect(asked.fields["access-control-allow-methods"] == "POST")
            #expect(asked.fields["access-control-allow-headers"] == "Authorization, Content-Type")
            let answer = try await gateway.fetch(Self.simplest, fields: ["Origin": page])
            #expect(answer.status == 200 && answer.fields["access-control-allow-origin"] == page)
            #expect(answer.fields["vary"] == "Origin")
            let refused = try await gateway.fetch(Self.simplest, fields: ["Origin": "https://evil.example.com"])
            #expect(refused.status == 403 && refused.fields["access-control-allow-origin"] == nil)
            #expect(try refused.json(Contract.ErrorReply.self).error.code == "origin_not_allowed")
        }
    }

    @Test func withLeasesABackendHearsOfThem() async throws {
        try await withGateway(["--with-leases", "--as-application", "gateway"]) { scene, gateway in
            let requester = try await Requester(url: scene.host.url, noticesOf: "a-gateway")
            let token = try await gateway.token(
                #"{"uid":1234,"channelName":"test","expire":4,"notify":{"before":[2]}}"#)
            let lease = try #require(token.leaseId)
            for kind in ["will_expire", "expired"] {
                _ = try await requester.notice(within: .seconds(20), kind) {
                    $0.kind == kind && $0.data.leaseId == lease && $0.data.uid == 1234
                }
            }
        }
    }

    @Test func aHundredAtATime() async throws {
        try await withGateway { _, gateway in
            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for uid in 1...100 {
                    group.addTask { try await gateway.token(#"{"uid":\#(uid),"channelName":"test"}"#).token }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let accounts = try await Verifier.read(tokens).compactMap { $0.services?.first?.account }
            #expect(Set(accounts) == Set((1...100).map(String.init)))
        }
    }
}
