// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport

/// Tokens as `Tests/Interop/python/verify_token.py` reads them, which knows the format and nothing of our code.
enum Verifier {
    struct Service: Decodable, Hashable {
        var name: String?
        var privileges: [String: Int]
        var channelName: String?
        var account: String?
        var userId: String?
        var roomUuid: String?
        var userUuid: String?
        var role: Int?
        var permissions: [String: [String: [String]]]?
    }

    struct Finding: Decodable, Hashable {
        var signed: Bool
        var error: String?
        var appId: String?
        var issuedAt: Int?
        var expire: Int?
        var services: [Service]?
    }

    /// Reads tokens and checks that the tests' certificate signed them.
    static func read(_ tokens: [String], certificate: String = WorkerProcess.certificate) async throws -> [Finding] {
        let child = try ChildProcess(
            "/usr/bin/python3", [TestEnvironment.root + "/Tests/Interop/python/verify_token.py"] + tokens,
            environment: ["AGORA_APP_CERTIFICATE": certificate])
        try await child.wait(within: .seconds(60))
        let findings = try child.output.split(separator: "\n").map {
            try JSONDecoder().decode(Finding.self, from: Data($0.utf8))
        }
        guard findings.count == tokens.count else { throw TestFailure("the verifier failed: \(child.errorText)") }
        return findings
    }

    static func read(_ token: String) async throws -> Finding {
        try await read([token])[0]
    }
}
