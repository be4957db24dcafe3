// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TokenMessages

@testable import LeaseStore

/// A database of its own for a test, with a clock that the test moves.
final class StoreBench: Sendable {
    let clock: ManualClock
    let database: any LeaseDatabase
    private let holder: Holder

    private enum Holder: Sendable {
        case folder(URL)
        case schema(PostgreSQLBench)
    }

    init(_ kind: StoreKind) throws {
        switch kind {
        case .sqlite:
            let folder = FileManager.default.temporaryDirectory.appending(path: "leases-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let clock = ManualClock()
            database = try SQLiteDatabase(path: Self.file(folder)) { clock.microseconds }
            holder = .folder(folder)
            self.clock = clock
        case .postgresql:
            let schema = try PostgreSQLBench(server: StoreKind.serverURL ?? "")
            database = try PostgreSQLDatabase(url: schema.url, clock: PostgreSQLBench.clock)
            holder = .schema(schema)
            clock = ManualClock { schema.setClock($0) }
        }
    }

    deinit {
        if case .folder(let folder) = holder { try? FileManager.default.removeItem(at: folder) }
    }

    private static func file(_ folder: URL) -> String { folder.appending(path: "leases.db").path }

    /// Opens a store for the calling thread.
    func open() throws -> any LeaseStore { try database.open() }

    /// Changes the database behind the store's back.
    func execute(_ sql: String) throws {
        switch holder {
        case .folder(let folder): try SQLiteConnection(path: Self.file(folder)).execute(sql)
        case .schema(let schema): try schema.execute(sql)
        }
    }

    /// Makes the database refuse every lease of a caller, as a constraint would.
    func refuseCaller(_ caller: String) throws {
        switch holder {
        case .folder(let folder):
            try SQLiteConnection(path: Self.file(folder)).execute(
                """
                CREATE TRIGGER refuse BEFORE INSERT ON lease WHEN NEW.caller = '\(caller)'
                BEGIN SELECT RAISE(ABORT, 'refused'); END
                """)
        case .schema(let schema):
            try schema.execute("ALTER TABLE lease ADD CHECK (caller <> '\(caller)')")
        }
    }
}
