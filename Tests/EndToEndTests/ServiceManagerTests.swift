// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// What a worker tells systemd, heard by a socket as systemd opens one.
@Suite(.timeLimit(.minutes(2)))
struct ServiceManagerTests {
    /// Prints each datagram on one line.
    private static let listener = """
        import os, socket, sys
        end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        end.bind("\\0" + sys.argv[1])
        print("bound", flush=True)
        while True:
            print(end.recv(4096).decode().replace("\\n", "|"), flush=True)
        """

    @Test func aServicesLife() async throws {
        try await Scene.with { scene in
            let name = TestEnvironment.uniqueName("agora-token-notify")
            let manager = try ChildProcess("/usr/bin/python3", ["-c", Self.listener, name])
            try await eventually(within: .seconds(10), "the socket") { manager.output.hasPrefix("bound\n") }
            let worker = try scene.worker(environment: ["NOTIFY_SOCKET": "@\(name)", "WATCHDOG_USEC": "3000000"])
            func lines() -> [String] { manager.output.split(separator: "\n").dropFirst().map(String.init) }
            try await eventually(within: .seconds(30), "READY=1\n\(manager.output)") {
                lines().contains { $0.hasPrefix("READY=1|STATUS=ready") }
            }
            // A word each second, three of them in the limit.
            let before = lines().count { $0.hasSuffix("WATCHDOG=1") }
            try await eventually(within: .seconds(20), "two more words for the watchdog") {
                lines().count { $0.hasSuffix("WATCHDOG=1") } >= before + 2
            }
            worker.signal(1)
            try await eventually(within: .seconds(10), "a reload\n\(manager.output)") {
                let reload = lines().firstIndex { $0.hasPrefix("RELOADING=1|MONOTONIC_USEC=") }
                return reload.map { lines()[$0...].contains("READY=1") } ?? false
            }
            #expect(try await worker.stop() == .code(0))
            try await eventually(within: .seconds(10), "the end\n\(manager.output)") {
                lines().contains("STOPPING=1|STATUS=stopping")
            }
            #expect(lines().count { $0.hasPrefix("READY=1|") } == 1)
            try await manager.kill()
        }
    }

    @Test func theWatchdogHearsNothingOfAProcessThatStandsStill() async throws {
        try await Scene.with { scene in
            let name = TestEnvironment.uniqueName("agora-token-notify")
            let manager = try ChildProcess("/usr/bin/python3", ["-c", Self.listener, name])
            try await eventually(within: .seconds(10), "the socket") { manager.output.hasPrefix("bound\n") }
            let worker = try scene.worker(environment: ["NOTIFY_SOCKET": "@\(name)", "WATCHDOG_USEC": "1500000"])
            try await eventually(within: .seconds(30), "READY=1") { manager.output.contains("READY=1") }
            worker.signal(19)
            try await Task.sleep(for: .milliseconds(200))
            let before = manager.output
            try await Task.sleep(for: .seconds(2))
            #expect(manager.output == before)
            worker.signal(18)
            try await eventually(within: .seconds(10), "its going on") { manager.output != before }
            #expect(try await worker.stop() == .code(0))
            try await manager.kill()
        }
    }
}
