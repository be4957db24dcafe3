// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import LeaseStore
import Synchronization
import Testing
import TokenMessages

@testable import TokenWorker

@Suite("The scheduler's thread")
struct SchedulerThreadTests {
    /// A broker that has everything at once.
    private final class PromptPublisher: NoticePublishing {
        private let scheduler = Mutex<Scheduler?>(nil)
        let notices = Mutex<[Notice]>([])

        func use(_ scheduler: Scheduler) { self.scheduler.withLock { $0 = scheduler } }

        func publish(_ publications: [NoticePublication]) {
            notices.withLock { $0 += publications.map(\.notice) }
            let scheduler = scheduler.withLock { $0 }
            scheduler?.settle(publications.map { NoticeOutcome(ticket: $0.ticket, result: .confirmed) })
        }
    }

    @Test(.timeLimit(.minutes(1))) func noticesComeByThemselvesWithinASecond() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "thread-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try SQLiteDatabase(path: folder.appending(path: "leases.db").path)
        let store = try database.open()
        let publisher = PromptPublisher()
        let scheduler = Scheduler(database: database, publisher: publisher) { _ in }
        publisher.use(scheduler)
        scheduler.brokerIsReady(true)

        let caller = Caller(text: "u-alice")
        let results = try store.commit(
            (1...200 as ClosedRange<UInt32>).map { user in
                let scope = TokenScope(service: .rtc, channelName: "room", user: .uid(user))
                let grant = Grant(
                    appID: "970CA35de60c44645bbae8a215061b33", scope: scope, lifetime: 2,
                    privileges: PrivilegeTimes(role: .publisher, service: .rtc))
                let mark = RequestMark(id: Key.body(Array("\(user)".utf8)), body: Key.body([]), isCompared: true)
                return .issue(
                    IssueOrder(
                        key: .lease(caller: caller, appID: grant.appID, scope: scope), ownID: nil, caller: caller,
                        grant: grant, leads: [30], request: mark, salt: user, needsTokenKey: false, certificate: "c"))
            })
        #expect(results.count == 200)
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        while try store.counts().total > 0, ContinuousClock.now < deadline { usleep(20_000) }
        scheduler.stop()
        let notices = publisher.notices.withLock { $0 }
        #expect(notices.count { $0.kind == .willExpire } == 200)
        #expect(notices.count { $0.kind == .expired } == 200)
        #expect(Set(notices.map(\.id)).count == 400)
        let lateness = notices.map(\.lateByMilliseconds).sorted()
        print("late by: median \(lateness[200]) ms, most \(lateness[399]) ms")
        #expect(lateness[395] <= 1000)
    }
}
