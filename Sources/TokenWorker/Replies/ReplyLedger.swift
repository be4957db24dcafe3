// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Which delivery waits for which publication, and what becomes of it.
///
/// A delivery is acknowledged only when the broker has confirmed what it caused. The ledger holds every published
/// reply and dead letter until then: it publishes again what a lost connection took, tries unroutable replies again for
/// a while, and gives up on those that nobody takes. It does no I/O, so it is the same in a test as under a broker.
///
/// A refused reply has a queue, which cannot take it now: its node died, or it is full. After a while its delivery goes
/// back, so that neither is the reply lost nor does the worker stop for it; the delivery limit bounds how often.
///
/// `Receipt` is what acknowledges the delivery, `Message` what is published, `Claim` what has to be undone when a reply
/// cannot be delivered.
struct ReplyLedger<Receipt: Hashable & Sendable, Message: Sendable, Claim: Equatable & Sendable>: Sendable {
    /// One publication and the delivery that waits for it.
    struct Entry: Sendable {
        /// Acknowledged in the end; `nil` where no delivery waits.
        var receipt: Receipt?
        let message: Message
        /// The queue that it is for.
        let address: String
        /// Whether it must arrive: a dead letter is tried for ever, a reply for ``ReplyLedger/patience``.
        let mustArrive: Bool
        /// What is undone when the reply is undeliverable.
        var claim: Claim?
        /// Whether the delivery waits for other publications as well, each of which says so.
        var sharesReceipt = false
    }

    /// What the broker said of one publication.
    enum Outcome: Sendable, Hashable {
        case confirmed
        /// No queue took it.
        case unroutable
        /// The broker refused responsibility for it.
        case refused
        /// It can never be sent.
        case unsendable
        /// The connection went before the broker spoke, or was not there.
        case lost
    }

    /// What has to be done now.
    enum Step: Sendable {
        case acknowledge(Receipt?)
        /// The ledger keeps it and offers it again.
        case wait
        /// The ledger keeps it for as long as it takes, and somebody should know why.
        case stuck(Entry, Outcome)
        /// Nobody takes the reply: undo its claim, count it, then acknowledge.
        case giveUp(Entry, Outcome)
        /// The queue is there and does not take the reply: the delivery goes back to where it came from.
        case giveBack(Receipt, Entry)
        /// Not in the ledger, so settled before.
        case unknown
    }

    /// How long a reply is tried.
    static var patience: Duration { .seconds(5) }
    /// How many replies to one queue, and to all, may wait at a time for their queues to appear.
    ///
    /// Each keeps a delivery unacknowledged: without a limit a caller that died with many requests on their way would
    /// take all that the broker lets a worker have, and stop the others.
    static var mostWaiting: (each: Int, all: Int) { (16, 64) }
    private static var firstPause: Duration { .milliseconds(50) }
    private static var longestPause: Duration { .seconds(1) }

    private struct Pending: Sendable {
        var entry: Entry
        /// Whether the delivery went back to its queue, so that whoever gets it next answers it.
        var isOrphan = false
        var firstFailure: ContinuousClock.Instant?
        /// Whether it is one of those whose number is limited.
        var isInCrowd = false
        var pause = ReplyLedger.firstPause
    }

    private struct Retry: Sendable {
        let due: ContinuousClock.Instant
        let id: UInt64
    }

    /// How many entries wait for each queue.
    private struct Crowd: Sendable {
        private var counts: [String: Int] = [:]
        private var total = 0

        var isEmpty: Bool { total == 0 }

        func isFull(for address: String, _ limit: (each: Int, all: Int)) -> Bool {
            total >= limit.all || counts[address, default: 0] >= limit.each
        }

        mutating func enter(_ address: String) {
            total += 1
            counts[address, default: 0] += 1
        }

        mutating func leave(_ address: String) {
            total -= 1
            let left = counts[address, default: 1] - 1
            counts[address] = left > 0 ? left : nil
        }
    }

    private var pending: [UInt64: Pending] = [:]
    private var lost: [UInt64] = []
    private var lostAgainAt: ContinuousClock.Instant?
    private var retries: [Retry] = []
    private var waiting = Crowd()
    private var stuck = 0
    /// How many publications each delivery waits for that waits for several.
    private var shares: [Receipt: Int] = [:]
    private var nextID: UInt64

    /// An empty ledger that counts its publications from `firstID`.
    init(firstID: UInt64 = 1) { nextID = firstID }

    /// How many publications have not been settled.
    var count: Int { pending.count }

    /// Whether all that is left are stuck ones, which nobody knows when they will go.
    var isDone: Bool { pending.count == stuck }

    /// When ``due(_:publisherIsReady:)`` will next have something.
    var nextDue: ContinuousClock.Instant? {
        let retry = retries.map(\.due).min()
        guard let retry, let lostAgainAt else { return retry ?? lostAgainAt }
        return min(retry, lostAgainAt)
    }

    /// Enters a publication and returns the number to publish it under.
    mutating func enter(_ entry: consuming Entry) -> UInt64 {
        let id = nextID
        nextID += 1
        if entry.sharesReceipt, let receipt = entry.receipt { shares[receipt, default: 0] += 1 }
        pending[id] = Pending(entry: entry)
        return id
    }

    /// Takes the broker's word on one publication.
    mutating func settle(_ id: UInt64, _ outcome: Outcome, at now: ContinuousClock.Instant) -> Step {
        switch outcome {
        case .confirmed:
            guard let done = pending.removeValue(forKey: id) else { return .unknown }
            if !waiting.isEmpty, let claim = done.entry.claim { drop(claim) }
            return .acknowledge(leave(done))
        case .lost:
            guard let isOrphan = pending[id]?.isOrphan else { return .unknown }
            guard !isOrphan else { return forget(id) }
            lost.append(id)
            lostAgainAt = lostAgainAt ?? now.advanced(by: Self.longestPause)
            return .wait
        case .unsendable:
            guard let done = remove(id) else { return .unknown }
            return .giveUp(done, outcome)
        case .unroutable, .refused:
            return failed(id, outcome, at: now)
        }
    }

    /// Takes a claim from replies that wait for their queues: it arrived with another reply, as it does when a message is
    /// sent again with a new address.
    private mutating func drop(_ claim: Claim) {
        for (id, reply) in pending where reply.firstFailure != nil && reply.entry.claim == claim {
            pending[id]?.entry.claim = nil
        }
    }

    private mutating func failed(_ id: UInt64, _ outcome: Outcome, at now: ContinuousClock.Instant) -> Step {
        guard var failed = pending[id] else { return .unknown }
        guard !failed.isOrphan else { return forget(id) }
        let isFirst = failed.firstFailure == nil
        let since = failed.firstFailure ?? now
        let deadline = since.advanced(by: Self.patience)
        if !failed.entry.mustArrive {
            // What can go back when its time is over needs no limit: the prefetch is one.
            let returnable = outcome == .refused ? failed.entry.receipt : nil
            let isNew = returnable == nil && !failed.isInCrowd
            let isCrowded = isNew && waiting.isFull(for: failed.entry.address, Self.mostWaiting)
            guard now < deadline, !isCrowded else {
                _ = remove(id)
                return returnable.map { .giveBack($0, failed.entry) } ?? .giveUp(failed.entry, outcome)
            }
            if isNew {
                waiting.enter(failed.entry.address)
                failed.isInCrowd = true
            }
        }
        // The last try is at the deadline itself, so that a queue has the whole time to appear.
        var due = now.advanced(by: failed.pause)
        if !failed.entry.mustArrive { due = min(due, deadline) }
        failed.firstFailure = since
        failed.pause = min(failed.pause * 2, Self.longestPause)
        pending[id] = failed
        retries.append(Retry(due: due, id: id))
        guard isFirst, failed.entry.mustArrive else { return .wait }
        stuck += 1
        return .stuck(failed.entry, outcome)
    }

    /// Notes that all deliveries so far went back to their queues with the connection that they came on.
    ///
    /// Their messages come again and are answered again, so that nothing is published a second time for them here.
    mutating func orphan() {
        for id in lost { _ = remove(id) }
        for retry in retries { _ = remove(retry.id) }
        lost.removeAll()
        lostAgainAt = nil
        retries.removeAll()
        for id in pending.keys { pending[id]?.isOrphan = true }
    }

    /// Takes an entry out whose message somebody else answers.
    private mutating func forget(_ id: UInt64) -> Step {
        _ = remove(id)
        return .acknowledge(nil)
    }

    /// Takes an entry out; its receipt stays for the last of those that share it.
    private mutating func remove(_ id: UInt64) -> Entry? {
        guard let done = pending.removeValue(forKey: id) else { return nil }
        var entry = done.entry
        entry.receipt = leave(done)
        return entry
    }

    /// Stops counting an entry that was taken out, and returns what to acknowledge for it.
    private mutating func leave(_ done: Pending) -> Receipt? {
        if done.firstFailure != nil, done.entry.mustArrive { stuck -= 1 }
        if done.isInCrowd { waiting.leave(done.entry.address) }
        guard done.entry.sharesReceipt, let receipt = done.entry.receipt else { return done.entry.receipt }
        let left = shares[receipt, default: 1] - 1
        shares[receipt] = left > 0 ? left : nil
        return left > 0 ? nil : receipt
    }

    /// What has waited long enough, to be published again under the same numbers: unroutable replies, and what was lost
    /// although the connection stands.
    mutating func due(
        _ now: ContinuousClock.Instant, publisherIsReady: Bool = true
    ) -> [(id: UInt64, message: Message)] {
        var again: [(id: UInt64, message: Message)] = []
        if retries.contains(where: { $0.due <= now }) {
            for retry in retries where retry.due <= now {
                if let message = pending[retry.id]?.entry.message { again.append((retry.id, message)) }
            }
            retries.removeAll { $0.due <= now }
        }
        if let due = lostAgainAt, due <= now {
            if publisherIsReady { return again + reconnected() }
            lostAgainAt = now.advanced(by: Self.longestPause)
        }
        return again
    }

    /// What lost connections took, in its old order, to be published again under the same numbers.
    mutating func reconnected() -> [(id: UInt64, message: Message)] {
        let again = lost.sorted().compactMap { id in pending[id].map { (id, $0.entry.message) } }
        lost.removeAll()
        lostAgainAt = nil
        return again
    }
}
