// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// The clients in the README's table, run as it shows them, get tokens that an independent implementation accepts.
///
/// Each asks for a token of 16 s, asks for three in one go, is refused once, and renews the first when it is warned.
@Suite(.timeLimit(.minutes(3)))
struct InteropClientTests {
    /// What a client prints of a token.
    private struct Printed: Hashable {
        var channel: String
        var user: String
        var expiresAt: Int
        var token: String
    }

    @Test(arguments: ["pika", "aio-pika", "amqp091-go", "bunny", "amqp-client", "TokenClient"])
    func clientWithTheDocumentedPermissions(library: String) async throws {
        let command = try command(library)
        try await Scene.withUsers { scene, workerURL, _, url in
            let worker = try scene.worker(url: workerURL)
            try await check(command, url)
            #expect(try await worker.stop() == .code(0))
        }
    }

    /// amqp-tools set no user, so their notices are those of nobody, which such a user may not hear.
    @Test func clientWithAmqpTools() async throws {
        let command = try command("amqp-tools")
        try await Scene.withWorker { scene, _ in try await check(command, scene.host.url) }
    }

    /// Runs a client, and checks what it prints.
    private func check(_ command: String, _ url: String) async throws {
        let output = try await ChildProcess.run(
            "/bin/bash", ["-c", "cd \"$0\" && \(command)", TestEnvironment.root],
            environment: ["AMQP_URL": url, "GOCACHE": TestEnvironment.goCache], within: .seconds(120))
        let lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.map(\.first) == ["token", "token", "token", "token", "error", "will_expire", "token"])
        #expect(lines.contains { $0.prefix(3) == ["error", "invalid_channel_name", "channelName:"] })
        let warning = try #require(lines.first { $0.first == "will_expire" })
        #expect(warning[1...2] == ["room-1", "in"])
        #expect((1...9).contains(try #require(Int(warning[3]))))
        try await verify(
            lines.filter { $0.first == "token" && $0.count == 5 }.map {
                Printed(channel: $0[1], user: $0[2], expiresAt: try #require(Int($0[3])), token: $0[4])
            })
    }

    /// Checks all five tokens: whose they are, what they permit, and until when.
    private func verify(_ printed: [Printed]) async throws {
        try #require(printed.map(\.channel) == ["room-1", "lobby", "stage", "backstage", "room-1"])
        let findings = try await Verifier.read(printed.map(\.token))
        for (printed, finding) in zip(printed, findings) {
            #expect(finding.signed)
            #expect(finding.appId == WorkerProcess.appID)
            let lifetime = printed.channel == "room-1" ? 16 : 3600
            #expect(finding.expire == lifetime)
            let issuedAt = try #require(finding.issuedAt)
            #expect(abs(issuedAt - Int(Date().timeIntervalSince1970)) < 150)
            #expect(printed.expiresAt == issuedAt + lifetime)
            try #require(finding.services?.count == 1)
            let service = try #require(finding.services?.first)
            #expect(service.name == "rtc")
            #expect(service.channelName == printed.channel)
            #expect(printed.user == "1234" && service.account == "1234")
            // Zero means "as the token".
            let ends = service.privileges.mapValues { $0 == 0 ? lifetime : $0 }
            #expect(ends == ["1": lifetime, "2": lifetime, "3": lifetime, "4": lifetime])
        }
        #expect(try #require(printed.last).expiresAt > printed[0].expiresAt)
    }

    /// The command in the README's table for the client with a library, whose row links the program.
    private func command(_ library: String) throws -> String {
        let readme = try String(contentsOfFile: TestEnvironment.root + "/README.md", encoding: .utf8)
        let row = try #require(
            readme.split(separator: "\n").first { $0.hasPrefix("| ") && $0.contains("[\(library)](Tests/Interop/") },
            "the README's table of clients has no row for \(library)")
        let link = try #require(row.firstMatch(of: /\]\((Tests\/Interop\/[^)]+)\)/)).output.1
        #expect(FileManager.default.fileExists(atPath: "\(TestEnvironment.root)/\(link)"))
        let command = try #require(row.matches(of: /`([^`]+)`/).last).output.1
        // What `swift run` would build is built already, and its lock is taken by the tests.
        return String(command).replacing("swift run ", with: ".build/debug/")
    }
}
