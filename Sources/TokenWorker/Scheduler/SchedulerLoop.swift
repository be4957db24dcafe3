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
    private let renewals: PlannedRenewals
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
    /// The store's clock in milliseconds since 1970, and when it was read.
    private var reading: (time: Int64, at: ContinuousClock.Instant)?
    private var brokerIsReady = false
    private var isStopping = false

    init(
        database: any LeaseDatabase, publisher: any NoticePublishing, authority: any RenewalAuthority,
        configuration: SchedulerConfiguration,
        firstTicket: UInt64 = 0, observe: @escaping (SchedulerEvent) -> Void,
        steadyNow: @escaping () -> ContinuousClock.Instant = { .now },
        random: @escaping () -> Double = { .random(in: 0..<1) }
    ) {
        self.database = database
        self.publisher = publisher
        renewals = PlannedRenewals(authority: authority)
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
        if settlement.tokens > 0 { pace.published(true) }
        for claimed in settlement.undelivered { postpone(claimed, reason: "reply_undeliverable") }
        for (notice, reason) in settlement.unsendable { observe(.unsendable(notice, reason: reason)) }
    }

    /// Tries the deed of a lease again later.
    private func postpone(_ claimed: ClaimedLease, reason: String) {
        let passed = reading.map { (steadyNow() - $0.at).milliseconds } ?? 0
        // What was claimed was read from the store, so there is a reading of its clock.
        note(renewals.postpone(claimed, now: (reading?.time ?? claimed.dueAt) + passed, reason: reason))
    }

    private func note(_ postponement: PlannedRenewals.Postponement) {
        marks.append(postponement.mark)
        observe(.postponed(postponement.lease, reason: postponement.reason))
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
        var hasRenewed = false
        for lane in pace.lanes(at: steadyNow()) {
            let limit = min(pace.limit, configuration.mostInFlight - flights.count)
            guard limit > 0 else { break }
            let start = steadyNow()
            let claim = try store.claim(limit: limit, visibility: configuration.visibility, lane: lane)
            watchClock(claim.now, readAfter: start)
            reading = (claim.now, start)
            pace.claimed(claim.leases.count, lane: lane, at: start, spread: random())
            found += claim.leases.count
            isFull = isFull || claim.leases.count == limit
            if let next = claim.next { untilNext = min(untilNext ?? .max, next - claim.now) }
            if claim.unreadable > 0 { observe(.unreadable(claim.unreadable)) }
            hasRenewed = try publish(claim, claimedAt: start, from: store) || hasRenewed
        }
        // Steps of which nobody hears are marked at once, a renewal's token is due at once, and a full claim has left
        // some for the next turn.
        if !marks.isEmpty || hasRenewed || (isFull && flights.count < configuration.mostInFlight) { return 0 }
        return pace.sleep(untilNext: untilNext, foundSome: found > 0, spread: random())
    }

    private func watchClock(_ time: Int64, readAfter start: ContinuousClock.Instant) {
        // A reading that took long does not say what it was the time of.
        guard (steadyNow() - start).milliseconds < ClockWatch.tolerance / 2 else { return }
        if let step = clock.read(time, at: start) { observe(.clockStepped(milliseconds: step)) }
    }

    /// Does what a claim calls for; whether leases were renewed.
    private func publish(
        _ claim: Claim, claimedAt start: ContinuousClock.Instant, from store: any LeaseStore
    ) throws(StoreError) -> Bool {
        guard !claim.leases.isEmpty else { return false }
        let held = steadyNow() - start
        // After a pause, of the machine or of this process, the claims may be another's by now.
        guard held.seconds < configuration.visibility / 2 else {
            observe(.dropped(claim.leases.count))
            return false
        }
        let now = claim.now + held.milliseconds
        let deadline = start.advanced(by: .seconds(configuration.visibility * 0.75))
        var notices: [NoticePublication] = []
        notices.reserveCapacity(claim.leases.count)
        var tokens: [TokenPublication] = []
        var records: [(lease: Lease, reply: Reply)] = []
        var renewable: [ClaimedLease] = []
        for claimed in claim.leases {
            var due = DueNotice(claimed, now: now)
            if due.failedDeed == .renew, let reason = renewals.refusal(claimed.lease) { due.explain(reason) }
            let flight = Flights.Flight(claimed: claimed, notice: due.notice, mark: due.mark, deadline: deadline)
            switch (due.deed, due.notice) {
            case (.renew, _): renewable.append(claimed)
            case (.token, _):
                do throws(MessageError) {
                    let message = try renewals.token(of: claimed.lease, now: now)
                    tokens.append(TokenPublication(ticket: flights.add(flight), message: message))
                    records.append((claimed.lease, message.reply))
                } catch {
                    postpone(claimed, reason: error.code.rawValue)
                }
            case (_, let notice?) where due.isPoisonous:
                marks.append(due.mark)
                observe(.poisonous(notice))
            case (_, let notice?): notices.append(NoticePublication(ticket: flights.add(flight), notice: notice))
            case (_, nil): marks.append(due.mark)
            }
        }
        if !notices.isEmpty { publisher.publish(notices) }
        if !tokens.isEmpty {
            if renewals.record(records, now: now) {
                publisher.publish(tokens)
            } else {
                // No token leaves without its line in the audit: they are as good as lost on their way, and come again.
                settle(tokens.map { NoticeOutcome(ticket: $0.ticket, result: .failed) })
            }
        }
        guard !renewable.isEmpty else { return false }
        return try renew(renewable, in: store, now: now)
    }

    /// Renews leases by their plans; whether any was.
    private func renew(
        _ claims: [ClaimedLease], in store: any LeaseStore, now: Int64
    ) throws(StoreError) -> Bool {
        let outcome: PlannedRenewals.Outcome
        do throws(StoreError) {
            outcome = try renewals.renew(claims, in: store, now: now)
        } catch {
            releases += claims
            throw error
        }
        for postponement in outcome.postponed { note(postponement) }
        if outcome.movedOn > 0 { observe(.movedOn(outcome.movedOn)) }
        if !outcome.granted.isEmpty { observe(.renewed(outcome.granted)) }
        return !outcome.granted.isEmpty
    }
}
