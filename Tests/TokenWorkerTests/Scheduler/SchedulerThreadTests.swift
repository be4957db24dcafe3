// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import LeaseStore
import Platform
import Testing
import TokenMessages

@testable import TokenWorker

@Suite("The scheduler's thread", .serialized)
struct SchedulerThreadTests {
    private static let environment = ProcessInfo.processInfo.environment
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "thread-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func orders(_ users: ClosedRange<UInt32>, expire: UInt32) -> [LeaseOperation] {
        let caller = Caller(text: "u-alice")
        return users.map { user in
            let scope = TokenScope(service: .rtc, channelName: "room", user: .uid(user))
            let grant = Grant(
                appID: "970CA35de60c44645bbae8a215061b33", scope: scope, lifetime: expire,
                privileges: PrivilegeTimes(role: .publisher, service: .rtc))
            let mark = RequestMark(id: Key.body(Array("\(user)".utf8)), body: Key.body([]), isCompared: true)
            return .issue(
                IssueOrder(
                    key: .lease(caller: caller, appID: grant.appID, scope: scope), ownID: nil, caller: caller,
                    grant: grant, leads: [30], request: mark, salt: user, needsTokenKey: false, certificate: "c"))
        }
    }

    @Test(.timeLimit(.minutes(1))) func noticesComeByThemselvesWithinASecond() throws {
        let database = try SQLiteDatabase(path: folder.appending(path: "leases.db").path)
        let store = try database.open()
        let publisher = PromptPublisher()
        let scheduler = Scheduler(database: database, publisher: publisher, authority: TestAuthority()) { _ in }
        publisher.use(scheduler)
        scheduler.brokerIsReady(true)
        _ = try store.commit(orders(1...200, expire: 2))
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        while try store.counts().total > 0, ContinuousClock.now < deadline { usleep(20_000) }
        scheduler.stop()
        let notices = publisher.notices
        #expect(notices.count { $0.kind == .willExpire } == 200)
        #expect(notices.count { $0.kind == .expired } == 200)
        #expect(Set(notices.map(\.id)).count == 400)
        #expect(report(notices, "200 at once") <= 1000)
    }

    /// 5,000 notices a second for twelve seconds, while leases are renewed.
    @Test(
        .timeLimit(.minutes(5)), .enabled(if: environment["AGORA_TEST_LONG"] != nil),
        arguments: ["sqlite"] + (environment["AGORA_TEST_POSTGRES_URL"] == nil ? [] : ["postgresql"]))
    func noticesAreOnTimeUnderLoad(_ kind: String) throws {
        let database: any LeaseDatabase
        if kind == "sqlite" {
            database = try SQLiteDatabase(path: folder.appending(path: "leases.db").path)
        } else {
            database = try PostgreSQLDatabase(url: try ownSchema(Self.environment["AGORA_TEST_POSTGRES_URL"] ?? ""))
        }
        let store = try database.open()
        let publisher = PromptPublisher()
        let scheduler = Scheduler(database: database, publisher: publisher, authority: TestAuthority()) { _ in }
        publisher.use(scheduler)
        let start = WallClock.microseconds() / 1_000_000
        for batch in 0..<240 as Range<UInt32> {
            // Each batch is due in one of twelve seconds, from 60 s after the start on.
            let due = start + 60 + Int64(batch % 12)
            let expire = UInt32(clamping: due + 30 - WallClock.microseconds() / 1_000_000)
            _ = try store.commit(orders((batch * 250 + 1)...(batch * 250 + 250), expire: expire))
        }
        let filled = WallClock.microseconds() / 1_000_000 - start
        #expect(filled < 55)
        scheduler.brokerIsReady(true)
        let deadline = ContinuousClock.now.advanced(by: .seconds(90))
        var user: UInt32 = 1_000_000
        while publisher.notices.count < 60_000, ContinuousClock.now < deadline {
            usleep(125_000)
            // Two thousand requests a second beside it.
            _ = try store.commit(orders((user + 1)...(user + 250), expire: 3600))
            user += 250
        }
        scheduler.stop()
        let notices = publisher.notices
        #expect(notices.count { $0.kind == .willExpire } == 60_000)
        #expect(Set(notices.map(\.id)).count == notices.count)
        #expect(report(notices, "5,000 a second on \(kind)") <= 1000)
    }

    /// Prints how late notices were, and gives the 99th percentile in milliseconds.
    private func report(_ notices: [Notice], _ title: String) -> Int64 {
        let lateness = notices.map(\.lateByMilliseconds).sorted()
        guard !lateness.isEmpty else { return .max }
        let p99 = lateness[lateness.count * 99 / 100]
        let median = lateness[lateness.count / 2]
        print("\(title): late by \(median) ms (median), \(p99) ms (p99), \(lateness.last ?? 0) ms (most)")
        return p99
    }

    private func ownSchema(_ server: String) throws -> String {
        let name = "thread_" + UUID().uuidString.lowercased().replacing("-", with: "")
        let psql = Process()
        psql.executableURL = URL(filePath: "/usr/bin/psql")
        psql.arguments = ["-q", "-c", "CREATE SCHEMA \(name)", server]
        try psql.run()
        psql.waitUntilExit()
        let url = server + "?options=-csearch_path%3D\(name)"
        _ = try PostgreSQLDatabase.migrate(url: url)
        return url
    }
}
