// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// Workers whose clock somebody has set.
@Suite(.timeLimit(.minutes(4)))
struct ClockTests {
    /// libfaketime changes the environment of the first program that it finds itself in, and from a changed one Swift
    /// cannot tell the arguments.
    private static let launcher = "/usr/bin/env"

    /// What preloads Debian's libfaketime, which must leave the clock that nobody sets alone.
    private static let preload = [
        "LD_PRELOAD": "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1", "FAKETIME_NO_CACHE": "1",
    ]

    /// The header that says until when a message is worth answering.
    private func deadline(in seconds: Double) -> DriverProperties {
        let moment = Int((Date().timeIntervalSince1970 + seconds) * 1000)
        return DriverProperties(headers: ["deadline": .number(moment)])
    }

    @Test("With PostgreSQL the database's clock is the only one", arguments: ["+600", "-600"])
    func wrongByTenMinutes(_ offset: String) async throws {
        let database = try await PrivatePostgres()
        try await database.migrate()
        try await Scene.with { scene in
            let worker = try WorkerProcess(
                url: scene.host.url, database: database.url,
                environment: Self.preload.merging(["FAKETIME": offset]) { $1 }, launcher: Self.launcher)
            let requester = try await Requester(url: scene.host.url)
            let soon = deadline(in: 60)
            let reply = try await requester.token(
                #"{"channelName":"test","uid":1,"expire":6,"notify":{"before":[3]}}"#, .request, soon)
            let loose = try await requester.token(#"{"channelName":"test","uid":2,"notify":false}"#, .request, soon)
            #expect(abs(loose.issuedAt - reply.issuedAt) < 5)
            let late = try await requester.error(
                #"{"channelName":"test","uid":3}"#, .request, deadline(in: -60))
            #expect(late.code == "deadline_exceeded")
            #expect(abs(Double(reply.issuedAt) - Date().timeIntervalSince1970) < 5)
            _ = try await requester.notice(within: .seconds(20), "expired\n\(worker.log)") { $0.kind == "expired" }
            for message in try requester.driver.messages(in: requester.notices) {
                let notice = try message.json(Contract.Notice.self)
                #expect(message.arrival > Double(notice.data.plannedAt) - 1.05)
                #expect(message.arrival < Double(notice.data.plannedAt) + 2)
            }
            // The clock was wrong indeed: log lines have its time.
            let line = try #require(worker.log.split(separator: "\n").first)
            let time = try #require(line.split(separator: "\"").first { $0.hasPrefix("20") })
            let logged = try Date(String(time), strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            #expect(abs(abs(logged.timeIntervalSinceNow) - 600) < 60)
            #expect(try await worker.stop() == .code(0))
        }
        try await database.remove()
    }

    @Test("With SQLite a clock that is set is noticed and said", arguments: [600, -600])
    func setWhileItRuns(_ seconds: Int) async throws {
        let file = "\(TestEnvironment.scratch)/\(TestEnvironment.uniqueName("clock"))"
        try Data("+0\n".utf8).write(to: URL(filePath: file))
        try await Scene.with { scene in
            let worker = try WorkerProcess(
                url: scene.host.url, database: scene.database,
                environment: Self.preload.merging(["FAKETIME_TIMESTAMP_FILE": file]) { $1 },
                launcher: Self.launcher)
            let requester = try await Requester(url: scene.host.url)
            let lease = try await requester.token(#"{"channelName":"test","uid":1,"expire":300}"#).leaseId
            try await eventually(within: .seconds(10), "a claim") { worker.log.contains("token.issued") }
            try await Task.sleep(for: .seconds(1))
            #expect(!worker.log.contains("clock_stepped"))
            try Data("\(seconds > 0 ? "+" : "")\(seconds)\n".utf8).write(to: URL(filePath: file))
            let line = try await firstAnswer(within: .seconds(20), "a word about the clock\n\(worker.log)") {
                worker.log.split(separator: "\n").first { $0.contains("clock_stepped") }
            }
            let digits = line.drop { $0 != "{" }.split(separator: "\"milliseconds\":").last ?? ""
            let step = try #require(Int(digits.prefix { $0.isNumber || $0 == "-" }))
            #expect(abs(step - seconds * 1000) < 2000)
            // Set forward, what was to come has come; set back, nothing is lost, only later.
            if seconds > 0 {
                _ = try await requester.notice(within: .seconds(20), "expired") { $0.data.leaseId == lease }
            } else {
                #expect(try await requester.token(#"{"channelName":"test","uid":2,"expire":300}"#).scheduled)
                #expect(try requester.notices().isEmpty)
            }
            #expect(try await worker.stop() == .code(0))
        }
    }
}
