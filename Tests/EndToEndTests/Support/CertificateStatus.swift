// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport

/// What `certificates --json` prints.
struct CertificateStatus: Decodable {
    struct Entry: Decodable {
        let slot: String?
        let state: String
        let liveLeases: Int
        let signers: [String]
        let canGo: Bool
        let canGoAt: Int?
    }
    let now: Int
    let certificates: [Entry]

    /// The certificate in a slot.
    func entry(_ slot: String) throws -> Entry {
        guard let entry = certificates.first(where: { $0.slot == slot }) else { throw TestFailure("no \(slot)") }
        return entry
    }

    /// Asks for it, under a configuration and with a database.
    static func read(_ spot: ConfigurationSpot, database: String) async throws -> CertificateStatus {
        let text = try await ChildProcess.run(
            TestEnvironment.binary, ["certificates", "--json"],
            environment: ["DATABASE_URL": database].merging(spot.environment) { $1 })
        return try JSONDecoder().decode(CertificateStatus.self, from: Data(text.utf8))
    }
}
