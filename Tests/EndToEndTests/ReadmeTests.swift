// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// The README's commands do what they are shown to do.
@Suite(.timeLimit(.minutes(2)))
struct ReadmeTests {
    /// The fenced blocks of a language, each with its lines.
    private func blocks(_ language: String) throws -> [String] {
        let text = try String(contentsOfFile: TestEnvironment.root + "/README.md", encoding: .utf8)
        return text.components(separatedBy: "```" + language + "\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
    }

    @Test func commandsForAWorker() async throws {
        // What builds, sets up or stays is tried elsewhere: here is what asks.
        let asking = ["amqp-", "agora-token request", "agora-token renew", "agora-token cancel", "agora-token config"]
        let all = try blocks("sh").flatMap { $0.split(separator: "\n") }
        // What is for an installed host is run in one.
        let lines = all.filter { line in asking.contains { line.hasPrefix($0) } && !line.contains(" --config ") }
        #expect(lines.count >= 7)
        let watch = try #require(all.first { $0.hasPrefix("agora-token watch ") })
        let script = (["set -euo pipefail"] + lines).joined(separator: "\n")
        try await Scene.withWorker { scene, _ in
            let folder = URL(filePath: TestEnvironment.binary).deletingLastPathComponent().path
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let environment = [
                "AMQP_URL": scene.host.url, "PATH": "\(folder):\(path)", "AGORA_APP_ID": WorkerProcess.appID,
                "AGORA_APP_CERTIFICATE": WorkerProcess.certificate,
            ]
            let watcher = try ChildProcess("/bin/bash", ["-c", "exec \(watch)"], environment: environment)
            try await eventually(within: .seconds(20), "a watcher") { watcher.errorText.contains("watching") }
            let output = try await ChildProcess.run("/bin/bash", ["-c", script], environment: environment)
            #expect(output.contains(#""channelName":"test""#), "the reply to amqp-publish")
            #expect(output.components(separatedBy: "token        007").count == 3, "a request and a renewal")
            #expect(output.contains("cancelled"))
            try await eventually(within: .seconds(20), "the notices of the lease") {
                let notices = watcher.output.split(separator: "\n").filter { $0.contains("call-7") }
                // A cancellation at once takes the notice of the renewal away.
                return notices.contains { $0.contains("cancelled") }
            }
        }
    }

    /// The program is a target of the package, so it compiles; here it is compared with what the README shows.
    @Test func clientProgram() throws {
        let program = try String(
            contentsOfFile: TestEnvironment.root + "/Tests/Examples/Client/main.swift", encoding: .utf8)
        #expect(try blocks("swift").contains { program.hasSuffix("\n\n\($0)\n") })
    }

    @Test func policies() async throws {
        let policy = try Scene.file(try #require(try blocks("json5").first { $0.contains("rules:") }))
        let project = ["AGORA_APP_ID": WorkerProcess.appID, "AGORA_APP_CERTIFICATE": WorkerProcess.certificate]
        try await ChildProcess.run(
            TestEnvironment.binary, ["config", "check", "--policy", policy, "--amqp", "amqp://localhost"],
            environment: project.merging(["DATABASE_URL": "none"]) { $1 })
        let line = try #require(
            try blocks("sh").flatMap { $0.split(separator: "\n") }.first { $0.hasPrefix("agora-token policy test") })
        let script = line.replacing("agora-token", with: TestEnvironment.binary, maxReplacements: 1)
        let output = try await ChildProcess.run(
            "/bin/bash", ["-c", "cd '\(TestEnvironment.root)' && \(script)"])
        #expect(output.hasPrefix(#"allowed by rule "webinars""#))
    }

    @Test func configurationFile() async throws {
        let folder = "\(TestEnvironment.scratch)/\(TestEnvironment.uniqueName("etc"))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let secrets = [
            "main": WorkerProcess.certificate, "other": WorkerProcess.certificate, "amqp-url": "amqp://localhost",
        ]
        for (name, text) in secrets { try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8) }
        let sample = try #require(try blocks("json5").first { $0.contains("projects:") })
            .replacing("/etc/agora-token", with: folder)
        try sample.write(toFile: folder + "/sample.json5", atomically: true, encoding: .utf8)
        try await ChildProcess.run(
            TestEnvironment.binary, ["config", "check", "--config", folder + "/sample.json5"],
            environment: ["DATABASE_URL": WorkerProcess.newDatabase()])
    }
}
