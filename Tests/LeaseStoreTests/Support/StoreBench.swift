// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TokenMessages

@testable import LeaseStore

/// A database of its own for a test, with a clock that the test moves.
final class StoreBench: Sendable {
    let clock = ManualClock()
    let database: any LeaseDatabase
    /// What holds the database, removed with the bench.
    let folder: URL

    init(_ kind: StoreKind) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "leases-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let clock = clock
        switch kind {
        case .sqlite:
            database = try SQLiteDatabase(path: folder.appending(path: "leases.db").path) { clock.microseconds }
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens a store for the calling thread.
    func open() throws -> any LeaseStore { try database.open() }
}
