// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import TestSupport
import Testing

/// `bench worker` against a live worker: its figures have to be true.
@Suite(.timeLimit(.minutes(3)))
struct BenchWorkerTests {
    private struct Report: Decodable {
        struct Worker: Decodable {
            let cpuNanosecondsPerRequest: Int
            let residentBytes: Int
        }
        let requestsPerSecond, window, answered, lost, refused: Int
        let latencyMicroseconds: [String: Int]
        let errors: [String: Int]
        let worker: Worker?
    }

    private func bench(_ scene: Scene, _ words: String...) throws -> ChildProcess {
        try ChildProcess(
            TestEnvironment.binary, ["bench", "worker", "--json", "--warm-up", "0"] + words,
            environment: ["AMQP_URL": scene.host.url])
    }

    private func report(_ child: ChildProcess) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(child.output.utf8))
    }

    @Test func everyRequestIsAnsweredAndTheWorkerIsMeasured() async throws {
        try await Scene.withWorker { scene, worker in
            try await worker.becomes(ready: true, within: .seconds(30))
            let bench = try bench(
                scene, "--seconds", "2", "--window", "20", "--users", "10", "--pid", "\(worker.processID)")
            #expect(try await bench.wait(within: .seconds(60)) == .code(0), "\(bench.errorText)")
            let report = try report(bench)
            #expect(report.answered > 0 && report.lost == 0 && report.refused == 0 && report.errors.isEmpty)
            // A closed loop cannot have more on their way than its window; Little's law binds its figures together.
            let median = try #require(report.latencyMicroseconds["p50"])
            #expect(median > 0 && median <= (report.latencyMicroseconds["max"] ?? 0))
            #expect(report.requestsPerSecond * median < 2 * 20 * 1_000_000)
            let used = try #require(report.worker)
            #expect(used.cpuNanosecondsPerRequest > 0 && used.residentBytes > 1 << 20)
            // The users asked in turn, and have one lease each.
            let list = try await ChildProcess.run(
                TestEnvironment.binary, ["lease", "list", "--json", "--store", scene.database])
            #expect(list.split(separator: "\n").count <= 10)
        }
    }

    @Test func whatAWorkerDoesNotAnswerIsLost() async throws {
        try await Scene.with { scene in
            let worker = try scene.worker()
            try await worker.becomes(ready: true, within: .seconds(30))
            worker.signal(SIGSTOP)
            let bench = try bench(scene, "--seconds", "1", "--window", "7", "--timeout", "1", "--no-lease")
            let exit = try await bench.wait(within: .seconds(60))
            worker.signal(SIGCONT)
            #expect(exit == .code(1), "\(bench.errorText)")
            let report = try report(bench)
            #expect(report.lost == 7 && report.answered == 0 && report.worker == nil)
            try await worker.stop()
        }
    }

    @Test func withoutAWorkerNothingIsSent() async throws {
        try await Scene.with { scene in
            let bench = try bench(scene)
            #expect(try await bench.wait(within: .seconds(60)) == .code(4))
            #expect(bench.errorText.contains("no worker consumes agora.tokens.request"))
        }
    }
}
