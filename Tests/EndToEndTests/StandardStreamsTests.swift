// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import TestSupport
import Testing

/// What is printed where nothing can be printed.
@Suite(.timeLimit(.minutes(3)))
struct StandardStreamsTests {
    private func start(_ line: String, _ environment: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess("/bin/bash", ["-c", "exec \"$0\" \(line)", TestEnvironment.binary], environment: environment)
    }

    /// A script must not take half a file, or none, for a result.
    @Test(arguments: [
        ("topology export", ">/dev/full", "No space left on device"), ("--help", ">/dev/full", "No space left"),
        ("sign --channel test --uid 1", ">/dev/full", "No space left"),
        ("sign --batch <<<'{\"channelName\":\"test\",\"uid\":1}'", ">/dev/full", "No space left"),
        ("contract print asyncapi", ">&-", "Bad file descriptor"), ("explain 007", ">&-", "Bad file descriptor"),
    ])
    func resultsThatCannotBeWrittenAreAFailure(_ line: String, _ output: String, _ reason: String) async throws {
        let project = ["AGORA_APP_ID": WorkerProcess.appID, "AGORA_APP_CERTIFICATE": WorkerProcess.certificate]
        let child = try start("\(line) \(output)", project)
        #expect(try await child.wait(within: .seconds(20)) == .code(1))
        #expect(child.errorText.contains("standard output: \(reason)"), "\(child.errorText)")
    }

    /// Else a log's lines go into a connection, or wherever the next free number leads.
    @Test func closedStreamsAreNotTakenForSockets() async throws {
        let child = try start(
            "gateway --listen 127.0.0.1:0 <&- >&- 2>&-", ["AMQP_URL": "amqp://guest:guest@127.0.0.1:9"])
        try await eventually(within: .seconds(20), "a program that has opened more than its streams") {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.processID)/fd").count > 8
        }
        for descriptor in 0...2 {
            let path = "/proc/\(child.processID)/fd/\(descriptor)"
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "/dev/null")
        }
        child.signal(SIGTERM)
        #expect(try await child.wait(within: .seconds(20)) == .code(0))
    }

    /// The limit that counts is raised where that is allowed, and is named where it is not.
    @Test func tooFewFilesAreSaid() async throws {
        for (limit, code) in [("-n 20", Int32(3)), ("-Sn 20", 0)] {
            let child = try ChildProcess(
                "/bin/bash", ["-c", "ulimit \(limit) && exec \"$0\" --version", TestEnvironment.binary])
            #expect(try await child.wait(within: .seconds(20)) == .code(code))
            #expect(child.errorText.contains("only 20 files may be open") == (code != 0), "\(child.errorText)")
        }
    }
}
