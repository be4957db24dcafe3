// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@testable import agora_token

/// What `explain` shows people.
@Suite struct ExplainTests {
    private let appID: AppID
    private let certificate: AppCertificate

    init() throws {
        appID = try AppID("970CA35de60c44645bbae8a215061b33")
        certificate = try AppCertificate("5CFd2fd1755d40ecb72977518be15d3b")
    }

    @Test func privilegesHaveNames() async throws {
        let token = try AccessToken(
            appID: appID, issuedAt: 1_790_000_000, lifetime: 600, salt: 1,
            services: [
                .rtc(channel: "test", account: "1234", privileges: [1: 0, 2: 300, 9: 60]),
                .rtm(userID: "alice", privileges: [1: 0]),
            ]
        ).signed(with: certificate)
        #expect(
            try await grants(token) == [
                "joinChannel as the token", "publishAudioStream for 300 s", "privilege 9 for 60 s",
                "login as the token",
            ])
    }

    @Test func oldTokensSayUntilWhen() async throws {
        let call = LegacyToken.rtc(
            appID: appID, channel: "test", user: 1234, role: .subscriber, privilegesUntil: 1_790_000_000,
            expiresAt: 1_790_086_400, salt: 1)
        #expect(try await grants(call.signed(with: certificate)) == ["joinChannel until 2026-09-21 14:13:20 UTC"])
    }

    /// A token is asked for and explained by the same name.
    @Test(arguments: [
        ("chat-user", "CHAT"), ("chat-app", "CHAT"), ("chat", "CHAT"), ("apaas-room-user", "APAAS"),
        ("apaas-user", "APAAS"), ("apaas-app", "APAAS"), ("rtc+rtm", ""), ("rtm", "RTM"), ("convoai", "CONVOAI"),
    ]) func servicesHaveTheNamesOfRequests(name: String, missing: String) async throws {
        let token = try AccessToken(
            appID: appID, issuedAt: 1_790_000_000, lifetime: 600, salt: 1,
            services: [.rtc(channel: "test", account: "1234", privileges: [1: 0])]
        ).signed(with: certificate)
        let result = await Shell().run("explain", token, "--at", "1790000001", "--service", name)
        #expect(result.status == (missing.isEmpty ? .success : .failure), "\(result)")
        #expect(missing.isEmpty || result.output.uppercased().contains("SERVICE \(missing)"), "\(result)")
        #expect(await Shell().run("explain", token, "--service", "chats").status == .usage)
    }

    private func grants(_ token: String) async throws -> [String] {
        await Shell().run("explain", token, "--at", "1790000001").output.split(separator: "\n")
            .filter { $0.hasPrefix("grants ") }.map { String($0.dropFirst(9)) }
    }
}
