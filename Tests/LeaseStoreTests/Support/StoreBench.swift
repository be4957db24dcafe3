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

    /// Makes the database refuse every lease of a caller, as a constraint would.
    func refuseCaller(_ caller: String) throws {
        let connection = try SQLiteConnection(path: folder.appending(path: "leases.db").path)
        try connection.execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON lease WHEN NEW.caller = '\(caller)'
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """)
    }

    /// Opens a store for the calling thread.
    func open() throws -> any LeaseStore { try database.open() }
}
