// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Platform
import Testing
import TokenMessages

@testable import LeaseStore

@Suite("The SQLite file")
struct SQLiteFileTests {
    private let folder: URL
    private var path: String { folder.appending(path: "leases.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "file-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test func aMissingFolderIsNamed() {
        #expect(throws: StoreError.unavailable("SQLite: /nowhere/leases.db: unable to open database file")) {
            _ = try SQLiteDatabase(path: "/nowhere/leases.db")
        }
    }

    @Test func anotherVersionIsRefused() throws {
        try SQLiteConnection(path: path).execute("PRAGMA user_version = 99")
        #expect(throws: StoreError.schema(found: 99, expected: SQLiteSchema.version)) {
            _ = try SQLiteDatabase(path: path)
        }
    }

    @Test func aFileOfSomethingElseIsRefused() throws {
        try Data(repeating: 65, count: 10_000).write(to: URL(filePath: path))
        #expect(throws: StoreError.self) { _ = try SQLiteDatabase(path: path) }
    }

    @Test func aDatabaseOfSomethingElseIsRefused() throws {
        try SQLiteConnection(path: path).execute(
            "CREATE TABLE other (id); PRAGMA user_version = \(SQLiteSchema.version)")
        #expect(throws: StoreError.unavailable("SQLite: no such table: lease")) { _ = try SQLiteDatabase(path: path) }
        #expect(throws: StoreError.unavailable("SQLite: no such table: lease")) {
            _ = try SQLiteDatabase(path: ":memory:")
        }
    }

    @Test func aFileThatCannotBeWrittenIsRefused() throws {
        _ = try SQLiteDatabase(path: path)
        // The format's own mark for a file that older programs may only read: permissions do not stop root.
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: 18)
        try file.write(contentsOf: [3])
        try file.close()
        #expect(throws: StoreError.unavailable("SQLite: \(path): the file cannot be written")) {
            _ = try SQLiteDatabase(path: path)
        }
    }

    @Test func leasesOutliveTheDatabase() throws {
        let alice = Orders()
        let lease = try SQLiteDatabase(path: path).open().commit(alice.issue("m1", alice.grant())).granted
        #expect(lease != nil)
        #expect(try SQLiteDatabase(path: path).open().leases([alice.key(alice.grant())]) == [lease])
    }

    @Test(.timeLimit(.minutes(2))) func aWriterInAnotherProcessIsWaitedFor() throws {
        let alice = Orders()
        let store = try SQLiteDatabase(path: path).open()
        let path = path
        let locked = Mailbox(empty: false)
        let thread = PlainThread {
            let other = try? SQLiteConnection(path: path)
            try? other?.execute("BEGIN IMMEDIATE")
            locked.put { $0 = true }
            usleep(200_000)
            try? other?.execute("COMMIT")
        }
        #expect(locked.take(until: .now.advanced(by: .seconds(10))))
        let waiting = try ContinuousClock().measure { _ = try store.commit(alice.issue("m1", alice.grant())) }
        thread.join()
        #expect(waiting > .milliseconds(50))
    }

    @Test(.timeLimit(.minutes(5))) func theLogDoesNotGrowWithTheWork() throws {
        let alice = Orders()
        let store = try SQLiteDatabase(path: path).open()
        var longest = 0
        for round in 0..<200 {
            _ = try store.commit(
                (0..<100).map { alice.issue("m\(round)", alice.grant(uid: UInt32(round * 100 + $0 + 1))) })
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
            longest = max(longest, (attributes[.size] as? Int) ?? 0)
        }
        // 64 MiB, as much again while a checkpoint runs, and a commit.
        #expect(longest < 160 << 20)
    }

    @Test func noTableIsReadAtTheStart() throws {
        _ = try SQLiteDatabase(path: path)
        let connection = try SQLiteConnection(path: path)
        for sql in [
            "SELECT id FROM lease WHERE due_at > 0 AND due_at <= 1 AND (claimed_until IS NULL OR claimed_until <= 1) "
                + "ORDER BY due_at LIMIT 10",
            "SELECT id FROM lease WHERE key = x'00'",
            "SELECT id FROM lease WHERE token_key = x'00'",
            "SELECT id FROM lease WHERE previous_token_key = x'00'",
            "SELECT count(*) FROM lease WHERE cancelled = 1",
        ] {
            let plan = try connection.prepare("EXPLAIN QUERY PLAN " + sql)
            #expect(try plan.step())
            #expect(plan.text(3).contains("SEARCH lease USING"))
        }
    }
}
