// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import LeaseStore
import Synchronization
import TokenMessages

@testable import TokenWorker

/// A broker that keeps what is published, and answers when the test says so.
final class ScriptedPublisher: NoticePublishing {
    private let sent = Mutex<[NoticePublication]>([])
    private let given = Mutex<[TokenPublication]>([])

    func publish(_ notices: [NoticePublication]) { sent.withLock { $0 += notices } }

    func publish(_ tokens: [TokenPublication]) { given.withLock { $0 += tokens } }

    /// The tokens published since this was last asked.
    @discardableResult func takeTokens() -> [TokenPublication] {
        given.withLock { given in
            defer { given = [] }
            return given
        }
    }

    /// Everything published since this was last asked.
    func take() -> [NoticePublication] {
        sent.withLock { sent in
            defer { sent = [] }
            return sent
        }
    }
}

/// A scheduler over a real SQLite file, whose clocks the test moves.
final class SchedulerBench {
    private struct Clocks: Sendable {
        var store: Int64 = 1_790_000_000_000_000
        var steady = ContinuousClock.now
    }

    private let database: any LeaseDatabase
    let store: any LeaseStore
    let publisher = ScriptedPublisher()
    private(set) var loop: SchedulerLoop
    private var isRestarted = false
    private let folder: URL
    private let clocks: Shared<Clocks>
    private let heard = Shared<[SchedulerEvent]>([])
    /// Decides about renewals.
    let authority = TestAuthority()

    /// A bench; `wrap` may put something between the scheduler and its store.
    init(
        configuration: SchedulerConfiguration = SchedulerConfiguration(),
        wrap: (any LeaseDatabase) -> any LeaseDatabase = { $0 }
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "scheduler-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let clocks = Shared(Clocks())
        self.clocks = clocks
        let file = try SQLiteDatabase(path: folder.appending(path: "leases.db").path) { clocks.value.store }
        store = try file.open()
        database = wrap(file)
        loop = Self.loop(database, publisher, configuration, clocks, heard, authority)
        _ = loop.turn(.init(brokerIsReady: true))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func loop(
        _ database: any LeaseDatabase, _ publisher: ScriptedPublisher, _ configuration: SchedulerConfiguration,
        _ clocks: Shared<Clocks>, _ heard: Shared<[SchedulerEvent]>, _ authority: TestAuthority
    ) -> SchedulerLoop {
        SchedulerLoop(
            database: database, publisher: publisher, authority: authority, configuration: configuration,
            observe: { event in heard.change { $0.append(event) } },
            steadyNow: { clocks.value.steady }, random: { 0.5 })
    }

    /// What a process leaves that is killed: the loop and all that it knew are gone, the file is not.
    func killAndRestart() {
        loop = Self.loop(database, publisher, SchedulerConfiguration(), clocks, heard, authority)
        _ = publisher.take()
        isRestarted = true
    }

    /// The store's clock in milliseconds since 1970.
    var now: Int64 { clocks.value.store / 1000 }

    /// Time passes.
    func advance(_ seconds: Double) {
        clocks.change {
            $0.store += Int64(seconds * 1_000_000)
            $0.steady = $0.steady.advanced(by: .seconds(seconds))
        }
    }

    /// Lets time pass while the scheduler is at work, as for a process that is stopped.
    var pausing: @Sendable (Double) -> Void {
        let clocks = clocks
        return { seconds in
            clocks.change {
                $0.store += Int64(seconds * 1_000_000)
                $0.steady = $0.steady.advanced(by: .seconds(seconds))
            }
        }
    }

    /// The store's clock is set to another time.
    func setClock(by seconds: Double) {
        clocks.change { $0.store += Int64(seconds * 1_000_000) }
    }

    /// Time passes until a moment in milliseconds since 1970.
    func advance(to milliseconds: Int64) { advance(Double(milliseconds - now) / 1000) }

    /// A turn in which nothing came in, and what it published.
    func turn(_ inbox: SchedulerLoop.Inbox = .init()) -> [NoticePublication] {
        var inbox = inbox
        if isRestarted { inbox.brokerIsReady = inbox.brokerIsReady ?? true }
        isRestarted = false
        _ = loop.turn(inbox)
        return publisher.take()
    }

    /// The broker speaks of some notices.
    func settle(_ sent: [NoticePublication], _ result: NoticeOutcome.Result = .confirmed) -> [NoticePublication] {
        turn(.init(outcomes: sent.map { NoticeOutcome(ticket: $0.ticket, result: result) }))
    }

    /// The events since this was last asked.
    func events() -> [SchedulerEvent] {
        heard.exchange([])
    }

    /// A lease for user `uid`.
    func issue(
        _ uid: UInt32 = 1, expire: UInt32 = 3600, leads: [UInt32] = [30], message: String = "m",
        renewal: AutoRenew? = nil
    ) throws -> Lease {
        let scope = TokenScope(service: .rtc, channelName: "room", user: .uid(uid))
        let grant = Grant(
            appID: "970CA35de60c44645bbae8a215061b33", scope: scope, lifetime: expire,
            privileges: PrivilegeTimes(role: .publisher, service: .rtc))
        let caller = Caller(text: "u-alice")
        let mark = RequestMark(id: Key.body(Array("\(message)\(uid)".utf8)), body: Key.body([]), isCompared: true)
        let results = try store.commit([
            .issue(
                IssueOrder(
                    key: .lease(caller: caller, appID: grant.appID, scope: scope), ownID: nil, caller: caller,
                    grant: grant, leads: leads, request: mark, salt: 1, needsTokenKey: false, certificate: "c",
                    renewal: renewal.map { RenewalPlan(order: $0, correlationID: Array("c1".utf8)) }))
        ])
        guard case .granted(let lease) = results[0] else { throw Unexpected(results[0]) }
        return lease
    }

    /// The next generation of a lease.
    func renew(_ lease: Lease, message: String) throws -> Lease {
        let mark = RequestMark(id: Key.body(Array(message.utf8)), body: Key.body([]), isCompared: true)
        let locator = LeaseLocator(target: .key(lease.key), caller: lease.caller)
        let results = try store.commit([
            .renew(RenewOrder(locator: locator, expire: nil, leads: nil, request: mark, salt: 2))
        ])
        guard case .granted(let lease) = results[0] else { throw Unexpected(results[0]) }
        return lease
    }

    /// The end of a lease by its caller's will; `nil` when it has ended by itself.
    @discardableResult
    func cancel(_ lease: Lease, message: String = "cancel") throws -> Lease? {
        let mark = RequestMark(id: Key.body(Array(message.utf8)), body: Key.body([]), isCompared: true)
        let locator = LeaseLocator(target: .key(lease.key), caller: lease.caller)
        let results = try store.commit([.cancel(CancelOrder(locator: locator, request: mark))])
        guard case .cancelled(let tombstone, already: false) = results[0] else { return nil }
        return tombstone
    }
}

struct Unexpected: Error {
    let result: LeaseResult
    init(_ result: LeaseResult) { self.result = result }
}

/// A value that closures share.
final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    var value: Value { mutex.withLock { $0 } }

    func change(_ change: (inout Value) -> Void) { mutex.withLock { change(&$0) } }

    func exchange(_ new: Value) -> Value {
        mutex.withLock { value in
            defer { value = new }
            return value
        }
    }
}
