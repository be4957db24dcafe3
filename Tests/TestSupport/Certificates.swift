// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The certificates of `deploy/certificates`, made once for this process.
package struct Certificates: Sendable {
    /// Where they lie.
    package let folder: String

    private static let made = Task {
        let folder = TestEnvironment.scratch + "/certificates"
        try await ChildProcess.run(TestEnvironment.root + "/deploy/certificates", [folder])
        return Certificates(folder: folder)
    }

    /// All of them; the first caller waits until they are made.
    package static var all: Certificates {
        get async throws { try await made.value }
    }

    /// The path of a certificate.
    package func certificate(_ name: String) -> String { "\(folder)/\(name).pem" }

    /// The path of a certificate's key.
    package func key(_ name: String) -> String { "\(folder)/\(name).key" }
}
