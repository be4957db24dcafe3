// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Platform
import Synchronization
import Testing
import TokenMessages

@testable import LeaseStore

@Suite("The PostgreSQL server", .enabled(if: StoreKind.serverURL != nil))
struct PostgreSQLServerTests {
    private let schema: PostgreSQLBench
    private let alice = Orders()

    init() throws {
        schema = try PostgreSQLBench(server: StoreKind.serverURL ?? "")
    }

    @Test func itsClockIsTheOnlyOne() throws {
        let store = try PostgreSQLDatabase(url: schema.url).open()
        let lease = try #require(try store.commit(alice.issue("m1", alice.grant())).granted)
        let now = WallClock.microseconds()
        #expect(abs(Int64(lease.issuedAt) - now / 1_000_000) <= 5)
        #expect(abs(lease.generation - now) < 5_000_000)
    }

    @Test func tablesAreMadeOnceAndChecked() throws {
        let version = PostgreSQLSchema.version
        #expect(try PostgreSQLDatabase.migrate(url: schema.url) == (version, version))
        try schema.execute("DROP TABLE lease, signer, lease_schema")
        #expect(throws: StoreError.schema(found: 0, expected: version)) { _ = try PostgreSQLDatabase(url: schema.url) }
        #expect(try PostgreSQLDatabase.migrate(url: schema.url) == (0, version))
        #expect(try PostgreSQLDatabase(url: schema.url).open().counts().total == 0)
    }

    /// Workers of the version before go on: nothing that they need is taken away.
    @Test func leasesStayWhenTablesAreBroughtUpToDate() throws {
        let lease = try #require(
            try PostgreSQLDatabase(url: schema.url).open().commit(alice.issue("m1", alice.grant())).granted)
        try schema.execute("DROP TABLE signer; UPDATE lease_schema SET version = 2, oldest_program = 2")
        #expect(try PostgreSQLDatabase.migrate(url: schema.url).from == 2)
        #expect(try PostgreSQLDatabase(url: schema.url).open().leases([lease.key]) == [lease])
        #expect(PostgreSQLSchema.oldestProgram == 2)
    }

    @Test func newerTablesServeAsLongAsTheySayThatTheyDo() throws {
        let version = PostgreSQLSchema.version
        try schema.execute("UPDATE lease_schema SET version = \(version + 1)")
        #expect(try PostgreSQLDatabase(url: schema.url).open().counts().total == 0)
        #expect(try PostgreSQLDatabase.migrate(url: schema.url).from == version + 1)
        try schema.execute("UPDATE lease_schema SET oldest_program = \(version + 1)")
        #expect(throws: StoreError.schema(found: version + 1, expected: version)) {
            _ = try PostgreSQLDatabase(url: schema.url)
        }
    }

    @Test func manyMigrateAtOnce() throws {
        try schema.execute("DROP TABLE lease, signer, lease_schema")
        let failures = Failures()
        let url = schema.url
        let threads = (0..<6).map { _ in
            PlainThread { failures.record { _ = try PostgreSQLDatabase.migrate(url: url) } }
        }
        for thread in threads { thread.join() }
        #expect(failures.all.isEmpty)
        #expect(try PostgreSQLDatabase(url: url).open().counts().total == 0)
    }

    @Test(.timeLimit(.minutes(2))) func aLostConnectionIsReplaced() throws {
        let store = try PostgreSQLDatabase(url: schema.url + "&application_name=lost").open()
        let lease = try #require(try store.commit(alice.issue("m1", alice.grant())).granted)
        for round in 1...5 {
            try schema.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND application_name = 'lost'
                """)
            // The call that finds it out fails; it stored nothing, or the same message again is a repeat.
            let order = alice.renew("r\(round)", .key(lease.key))
            let result = try (try? store.commit(order)) ?? store.commit(order)
            #expect(result.granted != nil || result.repeated != nil)
        }
    }

    @Test func anAbsentServerIsSaid() {
        do throws(StoreError) {
            _ = try PostgreSQLDatabase(url: "postgres://agora:secret@127.0.0.1:9/postgres")
            Issue.record("connected")
        } catch {
            #expect(error.description.contains("refused"))
            #expect(!error.description.contains("secret"))
        }
    }

    @Test(arguments: ["postgres://agora:secret@[/x", "host=", "postgres://h:secretport@/", "nonsense secret"])
    func aWrongURLIsNotRepeated(_ url: String) {
        do throws(StoreError) {
            _ = try PostgreSQLDatabase(url: url)
            Issue.record("connected")
        } catch {
            #expect(!error.description.contains("secret"))
        }
    }

    @Test func everyStatementHasAnIndexToUse() throws {
        let connection = try PostgreSQLConnection(url: schema.url)
        try connection.execute("SET enable_seqscan = off; SET jit = off")
        for sql in [
            "SELECT key FROM lease WHERE key = ANY ('{}'::uuid[]) ORDER BY key FOR UPDATE",
            "SELECT key FROM lease WHERE token_key = ANY ('{}'::uuid[])",
            "SELECT key FROM lease WHERE previous_token_key = ANY ('{}'::uuid[])",
            "SELECT key FROM lease WHERE due_at > 1 AND due_at <= 2 ORDER BY due_at LIMIT 1",
        ] {
            try connection.prepare("explain", "EXPLAIN " + sql)
            let plan = try connection.run([.init(name: "explain")])[0]
            let lines = (0..<plan.count).map { plan.text($0, 0) }.joined(separator: "\n")
            #expect(lines.contains("Index"))
            #expect(!lines.contains("Seq Scan"))
            try connection.execute("DEALLOCATE explain")
        }
    }

    @Test(.timeLimit(.minutes(2))) func competingBatchesDoNotDeadlock() throws {
        let database = try PostgreSQLDatabase(url: schema.url)
        let failures = Failures()
        let alice = self.alice
        let threads = (0..<4).map { worker in
            PlainThread {
                failures.record {
                    let store = try database.open()
                    for round in 0..<30 {
                        let users = (1...40).map { UInt32($0) }.shuffled()
                        let results = try store.commit(
                            users.map { alice.issue("m\(worker)-\(round)-\($0)", alice.grant(uid: $0)) })
                        for result in results where result.granted == nil { throw Unexpected() }
                    }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(failures.all.isEmpty)
        #expect(try database.open().counts().live == 40)
    }

    private struct Unexpected: Error {}

    /// What went wrong on threads.
    private final class Failures: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }

        func record(_ body: () throws -> Void) {
            do { try body() } catch { texts.withLock { $0.append("\(error)") } }
        }
    }
}
