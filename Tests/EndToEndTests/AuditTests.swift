// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import TestSupport
import Testing

/// The audit: a line for each token that leaves the worker, before it does.
@Suite(.timeLimit(.minutes(4)), .serialized)
struct AuditTests {
    /// One line.
    struct Line: Decodable {
        var time: String
        var event: String
        var kind: String?
        var caller: String?
        var rule: String?
        var appId: String?
        var channelName: String?
        var uid: Int?
        var leaseId: String?
        var generation: Int?
        var expiresAt: Int?
        var correlationId: String?
        var tokenSHA256: String?
        var code: String?
    }

    /// The whole lines of a file.
    private func lines(_ path: String) throws -> [Line] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        #expect(!text.contains("007eJ") && !text.contains(WorkerProcess.certificate))
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    /// The SHA-256 of each text, by another implementation.
    static func hashes(_ tokens: [String]) async throws -> [String] {
        let file = try Scene.file(tokens.joined(separator: "\n"), "tokens")
        let program =
            "import hashlib,sys\nfor t in open(sys.argv[1]): print(hashlib.sha256(t.strip().encode()).hexdigest())"
        let output = try await ChildProcess.run("/usr/bin/python3", ["-c", program, file])
        return output.split(separator: "\n").map(String.init)
    }

    @Test func everyOutcomeHasItsLine() async throws {
        let audit = try Scene.file("", "audit.jsonl")
        let policy = #"{rules: [{name: "test-only", allow: {channels: ["test"]}}]}"#
        try await Scene.withWorker(policy: policy, arguments: ["--audit", audit]) { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let until = Int(Date().timeIntervalSince1970) + 600
            let issued = try await requester.token(
                #"{"channelName":"test","uid":1}"#, .request, DriverProperties(correlationID: "c-1", appID: "orders"))
            let asApp = DriverProperties(correlationID: "c-2", appID: "orders")
            let renewed = try await requester.token(#"{"token":"\#(issued.token)"}"#, .renew, asApp)
            _ = try await requester.ask(
                #"{"token":"\#(renewed.token)"}"#, .cancel, DriverProperties(correlationID: "c-3", appID: "orders"))
            _ = try await requester.error(
                #"{"channelName":"hr","uid":1}"#, .request, DriverProperties(correlationID: "c-4"))
            let own = try await requester.token(
                #"{"channelName":"test","uid":2,"expire":4,"notify":{"before":[2]},"autoRenew":{"until":\#(until),"max":1}}"#,
                .request, DriverProperties(correlationID: "c-5"))
            let replies = try await firstAnswer(within: .seconds(30), "a renewal by plan") {
                let messages = try requester.driver.messages(in: requester.replies)
                    .filter { $0.properties.correlationID == "c-5" }
                return messages.count == 2 ? try messages.map { try $0.json(Contract.Reply.self) } : nil
            }
            // Every line was there before its reply.
            let lines = try lines(audit)
            #expect(lines.map(\.event) == ["issued", "renewed", "cancelled", "refused", "issued", "renewed"])
            #expect(lines.map(\.kind) == ["request", "renew", "cancel", "request", "request", "auto_renew"])
            #expect(lines.map(\.correlationId) == ["c-1", "c-2", "c-3", "c-4", "c-5", "c-5"])
            #expect(lines.map(\.caller) == ["a-orders", "a-orders", "a-orders", "anonymous", "anonymous", "anonymous"])
            #expect(lines.allSatisfy { $0.rule == "test-only" && $0.appId == WorkerProcess.appID })
            #expect(lines.map(\.channelName) == ["test", "test", "test", "hr", "test", "test"])
            #expect(lines.map(\.code) == [nil, nil, nil, "policy_denied", nil, nil])
            #expect(
                lines.map(\.leaseId) == [issued, renewed, issued].map(\.leaseId) + [nil, own.leaseId, own.leaseId])
            let tokens = [issued, renewed] + replies
            #expect(try await Self.hashes(tokens.map(\.token)) == lines.compactMap(\.tokenSHA256))
            #expect(lines.filter { $0.tokenSHA256 != nil }.map(\.generation) == tokens.map(\.generation))
            #expect(lines.filter { $0.tokenSHA256 != nil }.map(\.expiresAt) == tokens.map(\.expiresAt))
        }
    }

    /// The lines of a batch are the kernel's before any of its replies is the broker's, so that a kill at any moment
    /// leaves lines without tokens at most.
    @Test func aWorkerThatIsKilledLeavesNoTokenWithoutItsLine() async throws {
        let audit = try Scene.file("", "audit.jsonl")
        try await Scene.with { scene in
            let requester = try await Requester(url: scene.host.url)
            let load = Load(requester)
            var worker = try scene.worker(arguments: ["--audit", audit])
            for round in 1...3 {
                try load.publish(400)
                try await eventually(within: .seconds(30), "replies of round \(round)\n\(worker.log.suffix(1000))") {
                    try requester.driver.messages(in: requester.replies).count >= round * 400 - 350
                }
                try await worker.kill()
                let got = try requester.driver.messages(in: requester.replies).map {
                    try $0.json(Contract.Reply.self).token
                }
                let known = Set(try Self.hashesOfAnyLines(audit))
                #expect(Set(try await Self.hashes(got)).isSubset(of: known), "round \(round)")
                worker = try scene.worker(arguments: ["--audit", audit])
            }
            try await eventually(within: .seconds(60), "every reply\n\(worker.log.suffix(1000))") {
                let messages = try requester.driver.messages(in: requester.replies)
                return Set(messages.compactMap(\.properties.correlationID)).count == 1200
            }
            #expect(try await worker.stop() == .code(0))
            let got = try requester.driver.messages(in: requester.replies).map {
                try $0.json(Contract.Reply.self).token
            }
            #expect(Set(try await Self.hashes(got)).isSubset(of: Set(try Self.hashesOfAnyLines(audit))))
        }
    }

    /// The hashes in a file whose last line may be cut.
    private static func hashesOfAnyLines(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).matches(of: /"tokenSHA256":"([0-9a-f]{64})"/).map {
            String($0.output.1)
        }
    }

    @Test func afterARenameAndAHangUpTheLinesGoToANewFile() async throws {
        let audit = try Scene.file("", "audit.jsonl")
        try await Scene.with { scene in
            let worker = try scene.worker(environment: ["AGORA_TOKEN_AUDIT": audit])
            let requester = try await Requester(url: scene.host.url)
            _ = try await requester.token(#"{"channelName":"test","uid":1}"#)
            try FileManager.default.moveItem(atPath: audit, toPath: audit + ".1")
            worker.signal(SIGHUP)
            try await eventually(within: .seconds(20), "a new file\n\(worker.log)") {
                FileManager.default.fileExists(atPath: audit) && worker.log.contains("audit_reopened")
            }
            _ = try await requester.token(#"{"channelName":"test","uid":2}"#)
            #expect(try lines(audit + ".1").map(\.uid) == [1] && lines(audit).map(\.uid) == [2])
            #expect(try await worker.stop() == .code(0))
        }
    }

    @Test func linesOnStandardOutput() async throws {
        try await Scene.with { scene in
            let worker = try scene.worker(arguments: ["--audit", "stdout"])
            let requester = try await Requester(url: scene.host.url)
            let issued = try await requester.token(#"{"channelName":"test","uid":1}"#)
            let hash = try await Self.hashes([issued.token])
            #expect(worker.log.contains(#""tokenSHA256":"\#(hash.first ?? "")""#))
            #expect(try await worker.stop() == .code(0))
        }
    }
}
