// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import TokenMessages

/// The scheduler's work, a turn at a time: settle what the broker said, mark it, claim what is due, publish it.
///
/// A step is marked only after the broker has its notice, and a lease that moved on meanwhile is left alone; so a crash
/// at any point costs a second copy of a notice, with the same id, and never a notice.
final class SchedulerLoop {
    /// What reached the loop since its last turn.
    struct Inbox: Sendable {
        var outcomes: [NoticeOutcome] = []
        var brokerIsReady: Bool?
        var isStopping = false
    }

    private let database: any LeaseDatabase
    private let publisher: any NoticePublishing
    private let configuration: SchedulerConfiguration
    private let observe: (SchedulerEvent) -> Void
    private let steadyNow: () -> ContinuousClock.Instant
    private let random: () -> Double

    private var store: (any LeaseStore)?
    private var outage = StoreOutage()
    private var pace: SchedulerPace
    private var clock = ClockWatch()
    private var flights: Flights
    private var marks: [StepMark] = []
    private var releases: [ClaimedLease] = []
    private var brokerIsReady = false
    private var isStopping = false

    init(
        database: any LeaseDatabase, publisher: any NoticePublishing, configuration: SchedulerConfiguration,
        firstTicket: UInt64 = 0, observe: @escaping (SchedulerEvent) -> Void,
        steadyNow: @escaping () -> ContinuousClock.Instant = { .now },
        random: @escaping () -> Double = { .random(in: 0..<1) }
    ) {
        self.database = database
        self.publisher = publisher
        self.configuration = configuration
        self.observe = observe
        self.steadyNow = steadyNow
        self.random = random
        pace = SchedulerPace(limit: configuration.batch)
        flights = Flights(firstTicket: firstTicket)
    }

    /// Whether the broker has spoken of everything, and the store knows it.
    var isIdle: Bool { flights.count == 0 && marks.isEmpty && releases.isEmpty }

    /// Does what there is to do, and says how many seconds to sleep if nothing comes in.
    func turn(_ inbox: Inbox) -> Double {
        if let ready = inbox.brokerIsReady { brokerIsReady = ready }
        isStopping = isStopping || inbox.isStopping
        settle(inbox.outcomes)
        let now = steadyNow()
        releases += flights.overdue(at: now)
        if let nextTry = outage.nextTry, nextTry > now {
            return min((nextTry - now).seconds, SchedulerPace.longestSleep)
        }
        do throws(StoreError) {
            let store = if let store { store } else { try database.open() }
            self.store = store
            try writeBack(to: store)
            let sleep = try claim(from: store)
            if outage.succeeded() { observe(.storeBack) }
            return sleep
        } catch {
            store = nil
            pace.storeFailed()
            if outage.failed(at: now, spread: random()) { observe(.storeAway(error)) }
            return 0
        }
    }

    /// Gives back what the broker has not spoken of, for the end.
    func abandon() {
        releases += flights.abandon()
        guard let store else { return }
        // Should this fail, the claims end by themselves.
        try? writeBack(to: store)
    }

    private func settle(_ outcomes: [NoticeOutcome]) {
        guard !outcomes.isEmpty else { return }
        let settlement = flights.settle(outcomes)
        marks += settlement.marks
        releases += settlement.failed
        if !settlement.published.isEmpty {
            pace.published(true)
            observe(.published(settlement.published))
        }
        if !settlement.failed.isEmpty {
            pace.published(false)
            observe(.failed(settlement.failed.count))
        }
        for (notice, reason) in settlement.unsendable { observe(.unsendable(notice, reason: reason)) }
    }

    private func writeBack(to store: any LeaseStore) throws(StoreError) {
        if !marks.isEmpty {
            let stood = try store.complete(marks)
            if stood < marks.count { observe(.movedOn(marks.count - stood)) }
            marks.removeAll(keepingCapacity: true)
        }
        if !releases.isEmpty {
            let delay = pace.retryDelay(visibility: configuration.visibility, spread: random())
            try store.release(releases, delay: delay)
            releases.removeAll()
        }
    }

    private func claim(from store: any LeaseStore) throws(StoreError) -> Double {
        guard brokerIsReady, !isStopping else { return SchedulerPace.longestSleep }
        var untilNext: Int64?
        var found = 0
        var isFull = false
        for lane in pace.lanes(at: steadyNow()) {
            let limit = min(pace.limit, configuration.mostInFlight - flights.count)
            guard limit > 0 else { break }
            let start = steadyNow()
            let claim = try store.claim(limit: limit, visibility: configuration.visibility, lane: lane)
            watchClock(claim.now, readAfter: start)
            pace.claimed(claim.leases.count, lane: lane, at: start, spread: random())
            found += claim.leases.count
            isFull = isFull || claim.leases.count == limit
            if let next = claim.next { untilNext = min(untilNext ?? .max, next - claim.now) }
            if claim.unreadable > 0 { observe(.unreadable(claim.unreadable)) }
            publish(claim, claimedAt: start)
        }
        // Steps of which nobody hears are marked at once, and a full claim has left some for the next turn.
        if !marks.isEmpty || (isFull && flights.count < configuration.mostInFlight) { return 0 }
        return pace.sleep(untilNext: untilNext, foundSome: found > 0, spread: random())
    }

    private func watchClock(_ time: Int64, readAfter start: ContinuousClock.Instant) {
        // A reading that took long does not say what it was the time of.
        guard (steadyNow() - start).milliseconds < ClockWatch.tolerance / 2 else { return }
        if let step = clock.read(time, at: start) { observe(.clockStepped(milliseconds: step)) }
    }

    private func publish(_ claim: Claim, claimedAt start: ContinuousClock.Instant) {
        guard !claim.leases.isEmpty else { return }
        let held = steadyNow() - start
        // After a pause, of the machine or of this process, the claims may be another's by now.
        guard held.seconds < configuration.visibility / 2 else {
            observe(.dropped(claim.leases.count))
            return
        }
        let now = claim.now + held.milliseconds
        let deadline = start.advanced(by: .seconds(configuration.visibility * 0.75))
        var publications: [NoticePublication] = []
        publications.reserveCapacity(claim.leases.count)
        for claimed in claim.leases {
            let due = DueNotice(claimed, now: now)
            guard let notice = due.notice else {
                marks.append(due.mark)
                continue
            }
            guard !due.isPoisonous else {
                marks.append(due.mark)
                observe(.poisonous(notice))
                continue
            }
            let ticket = flights.add(Flights.Flight(claimed: claimed, due: due, deadline: deadline))
            publications.append(NoticePublication(ticket: ticket, notice: notice))
        }
        if !publications.isEmpty { publisher.publish(publications) }
    }
}
