// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AMQP
internal import TokenMessages

/// Everything that a worker counts about its work, since it started.
struct WorkerCounters: Sendable {
    /// What became of a publication.
    enum Sent: String, Sendable, CaseIterable {
        case confirmed
        /// The broker would not take it.
        case nacked
        /// No queue took it.
        case unroutable
        /// It can never be sent.
        case invalid
        /// The connection went before the broker spoke.
        case lost
    }

    /// What became of a notice.
    enum NoticeResult: String, Sendable {
        case published
        /// It did not get through, and is tried again.
        case failed
        /// It can never be sent.
        case unsendable
        /// Too many workers died over it.
        case passedOver = "passed_over"
    }

    /// The labels of notices; without a kind where many are counted together.
    struct NoticeLabel: Sendable, Hashable {
        var kind: NoticeKind?
        var result: NoticeResult
    }

    /// What became of a renewal that no message asked for.
    enum PlannedRenewal: String, Sendable {
        case renewed
        case postponed
    }

    /// The two connections.
    enum Connection: String, Sendable, CaseIterable {
        case intake
        case publisher
    }

    private(set) var outcomes = Tally(Self.expected)
    private(set) var consumed = Array(repeating: UInt64(0), count: Issuer.queues.count)
    private(set) var waits = Histogram.waits
    private(set) var processing = Array(repeating: Histogram.processing, count: Issuer.queues.count)
    private(set) var commits = Histogram.commits
    private(set) var sent = Tally(Sent.allCases)
    private(set) var notices = Tally(NoticeKind.allCases.map { NoticeLabel(kind: $0, result: .published) })
    private(set) var lateness = Histogram.lateness
    private(set) var planned = Tally([PlannedRenewal.renewed, .postponed])
    private(set) var connections = Tally(Connection.allCases)
    private(set) var undeliverable: UInt64 = 0
    private var isConnected = Set<Connection>()

    /// What is there from the start with a count of zero.
    private static var expected: [RequestOutcome] {
        let kinds = RequestOutcome.Kind.allCases
        let reasons = ErrorCode.allCases.filter(\.isDeadLetterReason)
        return [RequestOutcome(kind: .request, service: .rtc), RequestOutcome(kind: .renew, service: .rtc)]
            + kinds.map { RequestOutcome(kind: $0, code: .internal) }
            + reasons.map { RequestOutcome(kind: .request, code: $0, isDead: true) }
    }

    /// Adds a batch of messages that took `duration` to answer.
    mutating func add(_ batch: BatchTally, took duration: Duration) {
        outcomes.add(batch.outcomes)
        waits.add(batch.waits)
        for commit in batch.commits { commits.observe(commit.seconds) }
        let seconds = duration.seconds
        for (queue, count) in batch.messages.enumerated() where count > 0 {
            consumed[queue] += count
            processing[queue].observe(seconds, times: count)
        }
    }

    /// Adds what the broker said of publications.
    mutating func add(_ outcomes: [PublishOutcome]) {
        // Nearly all are confirmed, and counted together.
        var confirmed: UInt64 = 0
        for outcome in outcomes {
            switch outcome.result {
            case .confirmed: confirmed += 1
            case .nacked: sent.add(.nacked)
            case .returned: sent.add(.unroutable)
            case .invalid: sent.add(.invalid)
            case .lost: sent.add(.lost)
            }
        }
        if confirmed > 0 { sent.add(.confirmed, confirmed) }
    }

    /// Adds what the scheduler did.
    mutating func add(_ event: SchedulerEvent) {
        switch event {
        case .published(let list):
            for notice in list {
                notices.add(NoticeLabel(kind: notice.kind, result: .published))
                lateness.observe(Double(max(notice.lateByMilliseconds, 0)) / 1000)
            }
        case .failed(let count): notices.add(NoticeLabel(result: .failed), UInt64(count))
        case .unsendable(let notice, reason: _): notices.add(NoticeLabel(kind: notice.kind, result: .unsendable))
        case .poisonous(let notice): notices.add(NoticeLabel(kind: notice.kind, result: .passedOver))
        case .renewed(let leases): planned.add(.renewed, UInt64(leases.count))
        case .postponed: planned.add(.postponed)
        case .movedOn, .dropped, .unreadable, .storeAway, .storeBack, .clockStepped: break
        }
    }

    /// Adds replies that nobody took.
    mutating func addUndeliverable(_ count: Int) { undeliverable += UInt64(count) }

    /// Adds notices that were made for replies that nobody took.
    mutating func addFailedRenewals(_ count: Int) {
        if count > 0 { notices.add(NoticeLabel(kind: .renewalFailed, result: .published), UInt64(count)) }
    }

    /// Notes a state of a connection, and counts those that are new.
    mutating func note(_ state: ConnectionState, of connection: Connection) {
        let isNew = state.isConnected ? isConnected.insert(connection).inserted : false
        if !state.isConnected { isConnected.remove(connection) }
        if isNew { connections.add(connection) }
    }
}

extension ConnectionState {
    /// Whether there is a connection, whatever it can be used for.
    package var isConnected: Bool {
        switch self {
        case .ready, .incomplete, .suspended, .blocked: true
        case .idle, .connecting, .unreachable, .closed: false
        }
    }

    /// Whether the broker has stopped publishing.
    var isBlocked: Bool { if case .blocked = self { true } else { false } }
}
