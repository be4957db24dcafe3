// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation

/// What `deploy/test` tells the tests, with what holds when they are run by hand.
package enum TestEnvironment {
    /// The folder with Package.swift.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().standardizedFileURL.path

    /// Whether the slow tests are to run as well.
    package static let runsLongTests = variable("AGORA_TEST_LONG") != nil

    /// The program under test: `AGORA_TEST_BIN`, by default the debug build.
    package static let binary = variable("AGORA_TEST_BIN") ?? root + "/.build/debug/agora-token"

    /// A folder for what tests write, of this process alone; below the one that `deploy/test` deletes.
    package static let scratch: String = {
        let base = variable("AGORA_RUN_DIR") ?? root + "/.run"
        let path = "\(base)/tests-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }()

    /// Where the Go compiler keeps what it has compiled, over runs.
    package static let goCache = root + "/.run/go-build"

    static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A name that no other test of this machine uses: letters, digits and hyphens.
    package static func uniqueName(_ prefix: String) -> String {
        "\(prefix)-\(ProcessInfo.processInfo.processIdentifier)-\(String(UInt32.random(in: 0...UInt32.max), radix: 36))"
    }
}
