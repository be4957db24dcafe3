// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport

/// A configuration file that a test changes while a worker uses it, with two certificates of the tests' project.
struct ConfigurationSpot {
    static let first = WorkerProcess.certificate
    static let second = "0123456789abcdef0123456789abcdef"

    let path = "\(TestEnvironment.scratch)/\(TestEnvironment.uniqueName("configuration")).json5"

    /// Which slots are filled, and which one signs.
    func write(active: String, slots: [String] = ["primary", "secondary"], more: String = "") throws {
        var project = "appId: '\(WorkerProcess.appID)', activeCertificate: '\(active)'"
        if slots.contains("primary") { project += ", certificate: '\(Self.first)'" }
        if slots.contains("secondary") { project += ", secondaryCertificate: '\(Self.second)'" }
        try write("{ projects: [{ \(project) }], \(more) }")
    }

    /// Replaces the file as a whole, as editors and configuration management do.
    func write(_ text: String) throws { try text.write(toFile: path, atomically: true, encoding: .utf8) }

    func delete() throws { try FileManager.default.removeItem(atPath: path) }

    /// The variables of a worker that reads it.
    var environment: [String: String] {
        ["AGORA_APP_ID": "", "AGORA_APP_CERTIFICATE": "", "AGORA_TOKEN_CONFIG": path]
    }
}
