// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import TokenMessages

/// The notices of which the broker has not spoken yet.
struct Flights: Sendable {
    /// One of them.
    struct Flight: Sendable {
        let claimed: ClaimedLease
        /// The notice; `nil` for a token.
        let notice: Notice?
        /// What to mark when the broker has it.
        let mark: StepMark
        let deadline: ContinuousClock.Instant
        /// Whether the lease was given back because the broker took so long.
        ///
        /// A confirmation still counts.
        var isReleased = false
    }

    /// What is to be written to the store.
    struct Settlement: Sendable {
        var marks: [StepMark] = []
        var published: [Notice] = []
        var failed: [ClaimedLease] = []
        /// Leases whose token nobody took.
        var undelivered: [ClaimedLease] = []
        /// How many tokens the broker has.
        var tokens = 0
        var unsendable: [(notice: Notice, reason: String)] = []
    }

    private var flights: [UInt64: Flight] = [:]
    private var nextTicket: UInt64

    /// None, to be numbered from `firstTicket`.
    init(firstTicket: UInt64) { nextTicket = firstTicket }

    /// How many there are.
    var count: Int { flights.count }

    /// Adds a notice and gives its number.
    mutating func add(_ flight: Flight) -> UInt64 {
        defer { nextTicket += 1 }
        flights[nextTicket] = flight
        return nextTicket
    }

    /// Takes what the broker said.
    mutating func settle(_ outcomes: [NoticeOutcome]) -> Settlement {
        var settlement = Settlement()
        for outcome in outcomes {
            guard let flight = flights.removeValue(forKey: outcome.ticket) else { continue }
            switch (outcome.result, flight.notice) {
            // A notice that no queue takes goes to the alternate exchange, which is as good.
            case (.confirmed, let notice?), (.unroutable, let notice?):
                settlement.marks.append(flight.mark)
                settlement.published.append(notice)
            case (.confirmed, nil):
                settlement.marks.append(flight.mark)
                settlement.tokens += 1
            case (.failed, _):
                if !flight.isReleased { settlement.failed.append(flight.claimed) }
            case (.unsendable(let reason), let notice?):
                settlement.marks.append(flight.mark)
                settlement.unsendable.append((notice, reason))
            case (.unroutable, nil), (.unsendable, nil): settlement.undelivered.append(flight.claimed)
            }
        }
        return settlement
    }

    /// The leases of those past their deadline, each once.
    mutating func overdue(at now: ContinuousClock.Instant) -> [ClaimedLease] {
        var overdue: [ClaimedLease] = []
        for (ticket, flight) in flights where flight.deadline <= now && !flight.isReleased {
            flights[ticket]?.isReleased = true
            overdue.append(flight.claimed)
        }
        return overdue
    }

    /// Forgets them all, and gives the leases that were not given back yet.
    mutating func abandon() -> [ClaimedLease] {
        defer { flights.removeAll() }
        return flights.values.filter { !$0.isReleased }.map(\.claimed)
    }
}
