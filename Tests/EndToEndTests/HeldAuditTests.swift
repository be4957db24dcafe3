// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import TestSupport
import Testing

/// An audit whose reader stops reading: nothing is lost, the worker says so, and nobody kills it for that.
@Suite(.timeLimit(.minutes(4)), .serialized)
struct HeldAuditTests {
    /// Where the lines go.
    enum Target: CaseIterable { case path, standardOutput }

    /// A pipe that the test reads now and then; it is full after some tokens, as a disk would be.
    private final class Pipe {
        let path = "\(TestEnvironment.scratch)/\(TestEnvironment.uniqueName("pipe"))"
        private let reader: Int32
        private(set) var bytes: [UInt8] = []

        init() throws {
            guard unsafe mkfifo(path, 0o600) == 0 else { throw TestFailure("no pipe: errno \(errno)") }
            reader = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            guard reader >= 0 else { throw TestFailure("no reader: errno \(errno)") }
        }

        deinit { close(reader) }

        /// Reads what is there.
        func drain() {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                bytes += chunk.prefix(count)
            }
        }

        /// The hashes of tokens in what was read, of which every line has to be whole.
        func hashes() throws -> Set<String> {
            let lines = try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
                try JSONDecoder().decode(AuditTests.Line.self, from: Data(line.utf8))
            }
            return Set(lines.compactMap(\.tokenSHA256))
        }
    }

    /// Starts a worker whose audit goes to a pipe.
    private func worker(
        _ scene: Scene, _ pipe: Pipe, _ target: Target, environment: [String: String]
    ) throws -> WorkerProcess {
        guard target == .standardOutput else {
            return try scene.worker(arguments: ["--audit", pipe.path], environment: environment)
        }
        let launcher = try Scene.file("#!/bin/sh\nexec \"$@\" >'\(pipe.path)'\n", "launcher")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: launcher)
        return try WorkerProcess(
            url: scene.host.url, database: scene.database, arguments: ["--audit", "stdout"], environment: environment,
            launcher: launcher)
    }

    /// Has a worker issue until its audit is full.
    private func fill(_ worker: WorkerProcess, _ requester: Requester) async throws {
        try await worker.becomes(ready: true, within: .seconds(30))
        try Load(requester).publish(600)
        try await eventually(within: .seconds(30), "an audit that is held\n\(worker.log.suffix(2000))") {
            let page = try await worker.page("/readyz")
            return page.status == 503 && page.body.contains("audit: ")
        }
    }

    @Test(arguments: Target.allCases)
    func whatCannotBeWrittenHoldsTokensBack(_ target: Target) async throws {
        let pipe = try Pipe()
        try await Scene.with { scene in
            let manager = try await ServiceManager()
            let worker = try worker(scene, pipe, target, environment: manager.environment(watchdog: .seconds(3)))
            let requester = try await Requester(url: scene.host.url)
            try await fill(worker, requester)
            #expect(try await worker.page("/livez").status == 200)
            let held = try requester.driver.messages(in: requester.replies)
            #expect(held.count < 300)
            let before = manager.heard.count { $0.hasSuffix("WATCHDOG=1") }
            try await eventually(within: .seconds(30), "words for the watchdog\n\(manager.heard)") {
                manager.heard.count { $0.hasSuffix("WATCHDOG=1") } >= before + 4
            }
            #expect(manager.heard.contains { $0.contains("STATUS=not ready: audit: ") }, "\(manager.heard)")
            try await eventually(within: .seconds(60), "every reply\n\(worker.log.suffix(2000))") {
                pipe.drain()
                return try requester.driver.messages(in: requester.replies).count >= 600
            }
            try await worker.becomes(ready: true, within: .seconds(30))
            pipe.drain()
            let tokens = try requester.driver.messages(in: requester.replies).map {
                try $0.json(Contract.Reply.self).token
            }
            #expect(Set(try await AuditTests.hashes(tokens)).isSubset(of: try pipe.hashes()))
            #expect(worker.log.contains("audit_away") && worker.log.contains("audit_back"))
            #expect(try await worker.stop() == .code(0))
        }
    }

    @Test(arguments: Target.allCases)
    func aWorkerIsStoppedAllTheSameAndAnotherAnswersTheRest(_ target: Target) async throws {
        let pipe = try Pipe()
        try await Scene.with { scene in
            let first = try worker(scene, pipe, target, environment: [:])
            let requester = try await Requester(url: scene.host.url)
            try await fill(first, requester)
            #expect(try await first.stop() == .code(0), "\(first.log.suffix(2000))")
            let early = try requester.driver.messages(in: requester.replies).count
            #expect(early < 600)
            pipe.drain()
            let second = try worker(scene, pipe, target, environment: [:])
            try await eventually(within: .seconds(60), "every reply\n\(second.log.suffix(2000))") {
                pipe.drain()
                let messages = try requester.driver.messages(in: requester.replies)
                return Set(messages.compactMap(\.properties.correlationID)).count == 600
            }
            #expect(try await second.stop() == .code(0))
            pipe.drain()
            let tokens = try requester.driver.messages(in: requester.replies).map {
                try $0.json(Contract.Reply.self).token
            }
            #expect(Set(try await AuditTests.hashes(tokens)).isSubset(of: try pipe.hashes()))
        }
    }
}
