// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// A worker at a table of a million leases, of which 5,000 are due in each second for a while.
@Suite(.timeLimit(.minutes(15)), .enabled(if: TestEnvironment.runsLongTests))
struct MillionLeasesTests {
    private static let perSecond = 5000
    /// For how many seconds leases are due.
    private static let seconds = 20
    /// How many seconds before it ends a lease is due first.
    private static let lead = 20

    /// Copies the only lease a million times, and further ones that are due in the seconds from `start` on.
    private func fill(_ url: String, start: Int) async throws {
        let columns =
            "generation, own_id, caller, issued_at, salt, granted, leads, step, cancelled, history, certificate"
        let sql = """
            CREATE TEMP TABLE model AS SELECT * FROM lease;
            INSERT INTO lease (key, expires_at, steps, due_at, \(columns))
              SELECT md5('far' || i)::uuid, expires_at, steps, due_at, \(columns)
              FROM model, generate_series(1, 1000000) AS i;
            INSERT INTO lease (key, expires_at, steps, due_at, \(columns))
              SELECT md5('near' || i)::uuid, at + \(Self.lead), 'w' || at || '+\(Self.lead) e' || at + \(Self.lead) || '+0',
                at * 1000 - (random() * 999)::bigint, \(columns)
              FROM model, generate_series(0, \(Self.perSecond * Self.seconds - 1)) AS i,
                LATERAL (SELECT (\(start) + i / \(Self.perSecond))::bigint AS at) AS moment;
            ANALYZE lease;
            """
        try await ChildProcess.run("psql", ["-q", "-v", "ON_ERROR_STOP=1", "-c", sql, url], within: .seconds(300))
    }

    @Test func noticesAreOnTimeAndTheWorkerIsSmall() async throws {
        let database = try await PrivatePostgres()
        try await database.migrate()
        try await Scene.with { scene in
            let requester = try await Requester(url: scene.host.url)
            let first = try WorkerProcess(url: scene.host.url, database: database.url)
            _ = try await requester.token(#"{"channelName":"test","uid":1,"expire":86400}"#)
            #expect(try await first.stop() == .code(0))
            let start = Int(Date().timeIntervalSince1970) + 120
            try await fill(database.url, start: start)
            try #require(Int(Date().timeIntervalSince1970) < start - 10, "filled in time")

            let begin = ContinuousClock.now
            let worker = try WorkerProcess(url: scene.host.url, database: database.url)
            _ = try await requester.token(#"{"channelName":"test","uid":2,"expire":86400}"#)
            let startUp = begin.duration(to: .now)
            #expect(startUp < .seconds(3), "no table is read at the start")

            let expected = Self.perSecond * Self.seconds * 2
            let wait =
                .seconds(start - Int(Date().timeIntervalSince1970) + Self.seconds + Self.lead) + Duration.seconds(60)
            try await eventually(within: wait, "\(expected) notices\n\(worker.log.suffix(1000))") {
                try requester.driver.messages(in: requester.notices).count >= expected
            }
            let memory = try #require(worker.residentBytes) >> 20
            let notices = try requester.notices()
            #expect(Set(notices.map(\.id)).count == expected && notices.count == expected)
            for kind in ["will_expire", "expired"] {
                let late = notices.filter { $0.kind == kind }.map(\.data.lateByMilliseconds).sorted()
                try #require(late.count == expected / 2)
                let p99 = late[late.count * 99 / 100]
                print(
                    "\(kind): late by \(late[late.count / 2]) ms (median), \(p99) ms (p99), \(late.last ?? 0) ms (most)"
                )
                #expect(p99 <= 1000)
            }
            print("a million leases: first reply \(startUp) after the start, \(memory) MB resident at the end")
            #expect(memory < 80)
            #expect(try await worker.stop() == .code(0))
        }
        try await database.remove()
    }
}
