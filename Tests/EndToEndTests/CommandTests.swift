// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import TestSupport
import Testing

/// The commands that a person or a script calls, against a live worker.
@Suite(.timeLimit(.minutes(3)))
struct CommandTests {
    private func run(_ scene: Scene, _ arguments: String...) async throws -> String {
        try await ChildProcess.run(TestEnvironment.binary, arguments, environment: ["AMQP_URL": scene.host.url])
    }

    private func json<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    @Test func requestRenewCancel() async throws {
        try await Scene.withWorker { scene, _ in
            let issued: Contract.Reply = try json(
                try await run(scene, "request", "--json", "--channel", "test", "--uid", "1234"))
            #expect(try await Verifier.read(issued.token).services?.first?.account == "1234")
            let renewed: Contract.Reply = try json(try await run(scene, "renew", "--json", "--token", issued.token))
            #expect(renewed.leaseId == issued.leaseId)
            #expect(try await Verifier.read(renewed.token).signed)
            let cancelled = try await run(scene, "cancel", "--json", "--token", renewed.token)
            #expect(cancelled.contains(try #require(issued.leaseId)))
        }
    }

    @Test func refusalExitsWithOne() async throws {
        try await Scene.withWorker { scene, _ in
            let child = try ChildProcess(
                TestEnvironment.binary, ["renew", "--json", "--lease-id", "nothing"],
                environment: ["AMQP_URL": scene.host.url])
            #expect(try await child.wait(within: .seconds(20)) == .code(1))
            #expect(try (json(child.output) as Contract.ErrorReply).error.code == "lease_not_found")
        }
    }

    @Test func watchPrintsNotices() async throws {
        try await Scene.withWorker { scene, _ in
            let watch = try ChildProcess(
                TestEnvironment.binary, ["watch", "--json"], environment: ["AMQP_URL": scene.host.url])
            try await eventually(within: .seconds(20), "a watcher") { watch.errorText.contains("watching") }
            _ = try await run(scene, "request", #"{"channelName":"test","uid":7,"expire":1,"notify":{"before":[]}}"#)
            let line = try await firstAnswer(within: .seconds(20), "a notice\n\(watch.errorText)") {
                watch.output.split(separator: "\n").first
            }
            let notice: Contract.Notice = try json(String(line))
            #expect(notice.kind == "expired" && notice.data.uid == 7)
            watch.signal(SIGINT)
            try await watch.wait(within: .seconds(10))
        }
    }

    @Test func whatWatchHasPrintedIsOffTheQueue() async throws {
        try await Scene.withWorker { scene, _ in
            let environment = ["AMQP_URL": scene.host.url]
            try await ChildProcess.run(
                TestEnvironment.binary, ["topology", "subscribe", "--queue", "heard", "--caller", "*"],
                environment: environment)
            _ = try await run(scene, "request", #"{"channelName":"test","uid":7,"expire":1,"notify":{"before":[]}}"#)
            let first = try ChildProcess(
                TestEnvironment.binary, ["watch", "--queue", "heard", "--count", "1"], environment: environment)
            #expect(try await first.wait(within: .seconds(30)) == .code(0), "\(first.errorText)")
            #expect(first.output.contains("expired"))
            let second = try ChildProcess(
                TestEnvironment.binary, ["watch", "--queue", "heard", "--count", "1", "--for", "2"],
                environment: environment)
            #expect(try await second.wait(within: .seconds(30)) == .code(1))
            #expect(second.output.isEmpty && second.errorText.contains("0 of 1 notices came"), "\(second.output)")
        }
    }

    @Test func watchSaysThatNothingComes() async throws {
        try await Scene.withWorker { scene, _ in
            for (words, line) in [
                (["watch", "--queue", "nope"], "nope"),
                (["watch", "--count", "1", "--for", "1"], "0 of 1 notices came"),
            ] {
                let watch = try ChildProcess(
                    TestEnvironment.binary, words, environment: ["AMQP_URL": scene.host.url])
                #expect(try await watch.wait(within: .seconds(20)) == .code(1))
                #expect(watch.errorText.contains(line), "\(watch.errorText)")
            }
        }
    }

    @Test func explainOffline() async throws {
        // Agora's own builder made this token, with the tests' project.
        let token =
            "007eJxTYDhuGCT90E3Yo2+N3efJV5hX1K1MZAqae/Sa8UP9VXvOhfArMFiaGzg7GpumpJoZJJuYmJmYJiUlplokGhmaGpgZJhkbu38RYIhg"
            + "YmBgZABhRgYWIAbxmcAkM5hkAZMKDOYp5kbGZqapSZYWxiYWpsaW5qnGqcZplikmZgZJKSmJXAxGFhZGxiaGRubGAKizJcs="
        let output = try await ChildProcess.run(
            TestEnvironment.binary, ["explain", token, "--at", "1111200"],
            environment: ["AGORA_APP_ID": WorkerProcess.appID, "AGORA_APP_CERTIFICATE": WorkerProcess.certificate])
        for fact in ["7d72365eb983485397e3e3f9d460bdda", "2882341273", WorkerProcess.appID] {
            #expect(output.contains(fact))
        }
        #expect(!output.contains(WorkerProcess.certificate))
    }

    @Test func helpAndVersion() async throws {
        let help = try await ChildProcess.run(TestEnvironment.binary, ["--help"])
        for command in ["worker", "request", "renew", "cancel", "watch", "explain", "topology", "config"] {
            #expect(help.contains("\n  \(command) "), "\(command)")
        }
        #expect(try await ChildProcess.run(TestEnvironment.binary, ["--version"]).contains("."))
        let unknown = try ChildProcess(TestEnvironment.binary, ["frobnicate"])
        #expect(try await unknown.wait(within: .seconds(10)) == .code(2))
    }
}
