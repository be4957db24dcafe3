// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// What a worker tells systemd, heard as systemd would.
@Suite(.timeLimit(.minutes(2)))
struct ServiceManagerTests {
    @Test func aServicesLife() async throws {
        try await Scene.with { scene in
            let manager = try await ServiceManager()
            let worker = try scene.worker(environment: manager.environment(watchdog: .seconds(3)))
            try await eventually(within: .seconds(30), "READY=1\n\(manager.heard)") {
                manager.heard.contains { $0.hasPrefix("READY=1|STATUS=ready") }
            }
            // A word each second, three of them in the limit.
            let before = manager.heard.count { $0.hasSuffix("WATCHDOG=1") }
            try await eventually(within: .seconds(20), "two more words for the watchdog") {
                manager.heard.count { $0.hasSuffix("WATCHDOG=1") } >= before + 2
            }
            worker.signal(1)
            try await eventually(within: .seconds(10), "a reload\n\(manager.heard)") {
                let reload = manager.heard.firstIndex { $0.hasPrefix("RELOADING=1|MONOTONIC_USEC=") }
                return reload.map { manager.heard[$0...].contains("READY=1") } ?? false
            }
            #expect(try await worker.stop() == .code(0))
            try await eventually(within: .seconds(10), "the end\n\(manager.heard)") {
                manager.heard.contains("STOPPING=1|STATUS=stopping")
            }
            #expect(manager.heard.count { $0.hasPrefix("READY=1|") } == 1)
        }
    }

    @Test func theWatchdogHearsNothingOfAProcessThatStandsStill() async throws {
        try await Scene.with { scene in
            let manager = try await ServiceManager()
            let worker = try scene.worker(environment: manager.environment(watchdog: .milliseconds(1500)))
            try await eventually(within: .seconds(30), "READY=1") { manager.heard.contains { $0.contains("READY=1") } }
            worker.signal(19)
            try await Task.sleep(for: .milliseconds(200))
            let before = manager.heard
            try await Task.sleep(for: .seconds(2))
            #expect(manager.heard == before)
            worker.signal(18)
            try await eventually(within: .seconds(10), "its going on") { manager.heard != before }
            #expect(try await worker.stop() == .code(0))
        }
    }
}
