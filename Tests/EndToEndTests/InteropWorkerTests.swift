// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// The workers in other languages, which `deploy/bench` measures beside ours, do the same work.
@Suite(.timeLimit(.minutes(3)))
struct InteropWorkerTests {
    private static let request = #"{"channelName":"room-1","uid":4000000000,"role":1,"expire":600,"notify":false}"#

    /// The program and its arguments.
    private func command(_ language: String) async throws -> [String] {
        let folder = TestEnvironment.root + "/Tests/Interop"
        guard language == "go" else { return ["/usr/bin/python3", folder + "/python/pika_worker.py"] }
        let binary = "\(TestEnvironment.scratch)/\(TestEnvironment.uniqueName("go-worker"))"
        try await ChildProcess.run(
            "/bin/bash", ["-c", "cd \"$0\" && go build -o \"$1\" ./go/worker", folder, binary],
            environment: [
                "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": TestEnvironment.goCache,
                "CGO_ENABLED": "0",
            ], within: .seconds(120))
        return [binary]
    }

    @Test(arguments: ["go", "python"])
    func signsTheSame(language: String) async throws {
        let command = try await command(language)
        try await Scene.with { scene in
            let worker = try ChildProcess(
                command[0], Array(command.dropFirst()),
                environment: [
                    "AMQP_URL": scene.host.url, "AGORA_APP_ID": WorkerProcess.appID,
                    "AGORA_APP_CERTIFICATE": WorkerProcess.certificate,
                ])
            let requester = try await Requester(url: scene.host.url)
            let foreign = try await requester.token(Self.request)
            #expect(try await requester.error(#"{"channelName":"","uid":1}"#).code == "invalid_channel_name")
            if language == "go" {
                // Not asked to end: amqp091-go 1.5 notes a publication only after it was sent, and whoever waits for a
                // confirm that was faster waits for ever.
                try await worker.kill()
            } else {
                worker.signal(SIGTERM)
                try await #expect(worker.wait(within: .seconds(20)) == .code(0), "\(worker.errorText)")
            }

            // The same request to our own worker without leases: the replies differ in the token's bytes and the times.
            let own = try scene.worker(arguments: ["--store", "none"], environment: ["DATABASE_URL": ""])
            let ours = try await requester.token(Self.request)
            try await own.stop()
            #expect(comparable(foreign) == comparable(ours))
            let findings = try await Verifier.read([foreign.token, ours.token])
            #expect(findings.map(\.signed) == [true, true])
            #expect(findings[0].services == findings[1].services && findings[0].expire == findings[1].expire)
            #expect(findings[0].issuedAt == foreign.issuedAt)
            try await ChildProcess.run(
                TestEnvironment.binary, ["explain", foreign.token, "--channel", "room-1", "--uid", "4000000000"],
                environment: [
                    "AGORA_APP_ID": WorkerProcess.appID, "AGORA_APP_CERTIFICATE": WorkerProcess.certificate,
                ])
        }
    }

    private func comparable(_ reply: Contract.Reply) -> Contract.Reply {
        var reply = reply
        reply.token = ""
        reply.renewAfter -= reply.issuedAt
        reply.expiresAt -= reply.issuedAt
        reply.privileges = reply.privileges.mapValues { $0 - reply.issuedAt }
        reply.issuedAt = 0
        return reply
    }
}
