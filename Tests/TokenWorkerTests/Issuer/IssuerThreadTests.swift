// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import LeaseStore
import Platform
import Synchronization
import Testing
import TokenMessages

@testable import TokenWorker

/// The issuer's thread with a store that goes away, and without a broker: what it publishes is lost at once, so that
/// everything stays in the desk.
@Suite(.timeLimit(.minutes(1))) struct IssuerThreadTests {
    private let inbox = Mailbox(empty: IssuerInbox())
    private let log = Log(format: .off)

    private func run(_ database: FlakyDatabase, _ body: (ReplyDesk) throws -> Void) throws {
        let issuer = try Bench(keepsLeases: true).issuer
        let inbox = inbox
        let log = log
        let pair = ConnectionPair()
        let desk = ReplyDesk(log: log, pair: pair) { given in inbox.put { $0.undeliverable += given } }
        let thread = PlainThread {
            IssuerThread(
                issuer: Replaceable(issuer), database: database, desk: desk, mailbox: inbox, pair: pair,
                directReplyTo: .refuse, log: log
            ).run()
        }
        defer {
            inbox.put { $0.isAborting = true }
            thread.join()
        }
        try body(desk)
    }

    private let body = #"{"channelName":"test","uid":1}"#

    @Test func whileTheStoreIsAwayDeliveriesAreKeptAndAnsweredAfterwards() throws {
        let database = FlakyDatabase(file: try TemporaryDatabase(), failures: 2)
        try run(database) { desk in
            inbox.put { $0.deliveries = (1...3).map { Bench.delivery(body, number: $0) } }
            database.waitForCommits(3)
            #expect(desk.waitForCount(3))
        }
        #expect(database.sizes == [3, 3, 3])
    }

    @Test func whatTheBrokerTookBackIsNotAnswered() throws {
        let database = FlakyDatabase(file: try TemporaryDatabase(), failures: 1)
        try run(database) { desk in
            inbox.put { $0.deliveries = [Bench.delivery(body, number: 1)] }
            database.waitForCommits(1)
            inbox.put { inbox in
                inbox.loseDeliveries()
                inbox.deliveries = [Bench.delivery(body, number: 2), Bench.delivery(body, number: 3)]
            }
            database.waitForCommits(2)
            #expect(desk.waitForCount(2))
        }
        #expect(database.sizes == [1, 2])
    }

    @Test func closingWithoutAStoreGivesEverythingBack() throws {
        let database = FlakyDatabase(file: try TemporaryDatabase(), failures: .max)
        let issuer = try Bench(keepsLeases: true).issuer
        let pair = ConnectionPair()
        let inbox = inbox
        let log = log
        let desk = ReplyDesk(log: log, pair: pair) { _ in }
        let thread = PlainThread {
            IssuerThread(
                issuer: Replaceable(issuer), database: database, desk: desk, mailbox: inbox, pair: pair,
                directReplyTo: .refuse, log: log
            ).run()
        }
        inbox.put { $0.deliveries = [Bench.delivery(body)] }
        database.waitForCommits(1)
        inbox.put { $0.isClosing = true }
        thread.join()
        #expect(desk.count == 0)
    }
}

extension ReplyDesk {
    /// Waits until so many entries are in it.
    fileprivate func waitForCount(_ count: Int) -> Bool {
        let end = ContinuousClock.now.advanced(by: .seconds(10))
        while self.count != count {
            guard ContinuousClock.now < end else { return false }
        }
        return true
    }
}

/// A database whose first commits fail.
private final class FlakyDatabase: LeaseDatabase {
    private let file: Mutex<TemporaryDatabase>
    private let failures: Int
    private let commits = Mutex<[Int]>([])
    private let heard = Mailbox<Int>(empty: 0)

    init(file: sending TemporaryDatabase, failures: Int) {
        self.file = Mutex(file)
        self.failures = failures
    }

    /// The numbers of operations of the commits so far.
    var sizes: [Int] { commits.withLock { $0 } }

    func waitForCommits(_ count: Int) {
        while sizes.count < count { _ = heard.take(until: .now.advanced(by: .seconds(5))) }
    }

    func open() throws(StoreError) -> any LeaseStore {
        FlakyStore(store: try openFile(), database: self)
    }

    private func openFile() throws(StoreError) -> any LeaseStore {
        try file.withLock { $0.database }.open()
    }

    fileprivate func admits(_ size: Int) -> Bool {
        defer { heard.put { $0 += 1 } }
        return commits.withLock { commits in
            commits.append(size)
            return commits.count > failures
        }
    }
}

private final class FlakyStore: LeaseStore {
    private let store: any LeaseStore
    private let database: FlakyDatabase

    init(store: any LeaseStore, database: FlakyDatabase) {
        self.store = store
        self.database = database
    }

    func commitTogether(
        _ operations: ArraySlice<LeaseOperation>, judge: (Int, Lease) -> Judgement
    ) throws(StoreError) -> [LeaseResult] {
        guard database.admits(operations.count) else { throw StoreError.unavailable("a test") }
        return try store.commitTogether(operations, judge: judge)
    }

    func leases(_ keys: [Key]) throws(StoreError) -> [Lease?] { try store.leases(keys) }
    func claim(limit: Int, visibility: Double, lane: ClaimLane) throws(StoreError) -> Claim {
        try store.claim(limit: limit, visibility: visibility, lane: lane)
    }
    func complete(_ marks: [StepMark]) throws(StoreError) -> Int { try store.complete(marks) }
    func release(_ claimed: [ClaimedLease], delay: Double) throws(StoreError) {
        try store.release(claimed, delay: delay)
    }
    func note(_ signers: [Signer]) throws(StoreError) { try store.note(signers) }
    func clock() throws(StoreError) -> Int64 { try store.clock() }
    func counts() throws(StoreError) -> LeaseCounts { try store.counts() }
}
