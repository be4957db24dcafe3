// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import LeaseStore
internal import Platform
internal import TokenMessages

/// The thread between the two connections: decides, stores, signs, and posts the replies.
///
/// It takes whatever has arrived as one batch, so that a busy worker pays for a transaction, a lock and a system call
/// once for many messages. While the store is away it keeps what it holds, asks for no more, and tries again.
final class IssuerThread {
    private let issuer: Replaceable<Issuer>
    private let database: (any LeaseDatabase)?
    private let desk: ReplyDesk
    private let mailbox: Mailbox<IssuerInbox>
    private let pair: ConnectionPair
    private let directReplyTo: WorkerConfiguration.DirectReplyTo
    private let audit: AuditTrail?
    private let vitals: Vitals
    private let metrics: WorkerMetrics
    private let log: Log

    private var store: (any LeaseStore)?
    private var outage = StoreOutage()
    private var storeIsAway = false
    private var clock = StoreClock()
    private var diary = SignerDiary()
    private var held = HeldDeliveries()
    private var undeliverable: [ReplyDesk.Undeliverable] = []
    private var tally = BatchTally()
    private var isClosing = false
    private var nextProbe = ContinuousClock.now.advanced(by: IssuerThread.longestSleep)

    /// Why nothing can be answered at present.
    private enum Hindrance: Error {
        case store(StoreError)
        case audit(AuditTrail.Failure)
    }

    /// The longest sleep, and how long the store may go unused before it is asked whether it still works.
    private static var longestSleep: Duration { .seconds(3) }

    init(
        issuer: Replaceable<Issuer>, database: (any LeaseDatabase)?, desk: ReplyDesk, mailbox: Mailbox<IssuerInbox>,
        pair: ConnectionPair, directReplyTo: WorkerConfiguration.DirectReplyTo, audit: AuditTrail? = nil,
        vitals: Vitals = Vitals(), metrics: WorkerMetrics = WorkerMetrics(), log: Log
    ) {
        self.issuer = issuer
        self.database = database
        self.desk = desk
        self.mailbox = mailbox
        self.pair = pair
        self.directReplyTo = directReplyTo
        self.audit = audit
        self.vitals = vitals
        self.metrics = metrics
        self.log = log
    }

    /// Works until everything is done after ``IssuerInbox/isClosing``, or at once after ``IssuerInbox/isAborting``.
    func run() {
        while true {
            let inbox = mailbox.take(until: nextMoment)
            vitals.issuerMoved()
            if inbox.isAborting { return }
            isClosing = isClosing || inbox.isClosing
            if inbox.consumerWasLost { held.removeAll() }
            held.add(inbox.deliveries)
            undeliverable += inbox.undeliverable
            let now = ContinuousClock.now
            desk.publishDue(now)
            if outage.nextTry.map({ $0 <= now }) ?? true { work(now) }
            if isClosing, outage.isAway { giveBack() }
            if isClosing, held.isEmpty, undeliverable.isEmpty, desk.isDone { return }
        }
    }

    /// When to wake up without a message.
    private var nextMoment: ContinuousClock.Instant {
        // While closing, confirmations empty the desk without a word to this thread.
        let closing: ContinuousClock.Instant? = isClosing ? ContinuousClock.now.advanced(by: .milliseconds(20)) : nil
        let waiting = outage.isAway ? nil : held.nextDue(.now)
        let others = [outage.nextTry, desk.nextDue, closing, waiting].compactMap(\.self).min()
        // Neither while the store is away nor while closing is it asked whether it works.
        let isProbing = !outage.isAway && !isClosing
        let probe = isProbing ? nextProbe : ContinuousClock.now.advanced(by: Self.longestSleep)
        return min(others ?? probe, probe)
    }

    private func work(_ now: ContinuousClock.Instant) {
        let isIdle = nextProbe <= now && !isClosing
        guard !held.isEmpty || !undeliverable.isEmpty || outage.isAway || isIdle else { return }
        nextProbe = now.advanced(by: Self.longestSleep)
        do throws(Hindrance) {
            do throws(StoreError) {
                try openStore()
                try noteSigners(now)
                if !undeliverable.isEmpty { try undo() }
            } catch { throw .store(error) }
            if !held.isEmpty { try issue(now) } else if outage.isAway || isIdle { try probe() }
            vitals.store(.issuer, nil)
            if outage.succeeded() {
                if storeIsAway { log.line(.info, "store_back") }
                storeIsAway = false
                if !isClosing { pair.resume() }
            }
        } catch {
            // Nothing was answered, so nothing is lost: the batch is tried again as a whole.
            if case .store(let error) = error { storeFailed(error) }
            if outage.failed(at: now, spread: Double.random(in: 0...1)), !isClosing { pair.suspend() }
        }
    }

    private func storeFailed(_ error: StoreError) {
        store = nil
        vitals.store(.issuer, error)
        guard !storeIsAway else { return }
        storeIsAway = true
        log.line(.error, "store_away") { $0.add("reason", "\(error)") }
    }

    /// Leaves what needs the store to others, since this worker ends before it is back.
    private func giveBack() {
        held.removeAll()
        undeliverable.removeAll()
    }

    private func openStore() throws(StoreError) {
        if store == nil, let database { store = try database.open() }
        if let store { try clock.read(store, at: .now) }
    }

    /// Tells the store what this worker signs with.
    ///
    /// Nobody's token depends on it, so it may fail, unless the store is away: to wait for that once is enough.
    private func noteSigners(_ now: ContinuousClock.Instant) throws(StoreError) {
        let signers = issuer.current.signers
        guard let store, let entry = diary.entry(signers, at: now) else { return }
        do throws(StoreError) {
            try store.note(entry)
            diary.note(signers, wasWritten: true, at: now)
        } catch {
            diary.note(signers, wasWritten: false, at: now)
            if case .unavailable = error { throw error }
            log.line(.warning, "signers_not_noted") { $0.add("reason", "\(error)") }
        }
    }

    /// Asks the store for a transaction that changes nothing, and the audit whether it can be written again.
    private func probe() throws(Hindrance) {
        if let store, let nobody = Key([UInt8](repeating: 0, count: 16)) {
            do throws(StoreError) {
                _ = try store.commit([.end(EndOrder(key: nobody, generation: 0))])
            } catch { throw .store(error) }
        }
        guard let audit else { return }
        do throws(AuditTrail.Failure) { try audit.recover() } catch { throw .audit(error) }
    }

    /// Writes lines of the audit, without which nothing of their batch may be published.
    private func write(_ lines: [UInt8]) throws(Hindrance) {
        guard let audit else { return }
        do throws(AuditTrail.Failure) { try audit.write(lines) } catch { throw .audit(error) }
    }

    private func issue(_ now: ContinuousClock.Instant) throws(Hindrance) {
        let deliveries = held.next(now)
        guard !deliveries.isEmpty else { return }
        var batch = log.batch()
        let circumstances = Circumstances(
            now: clock.milliseconds(at: .now), isRetry: outage.isAway,
            allowsDirectReply: directReplyTo.isAllowed(by: pair.broker))
        // What was counted before the store went is counted when the batch is tried again.
        tally.reset()
        let issued: Issuer.Batch
        do throws(StoreError) {
            issued = try issuer.current.issue(deliveries, store: store, circumstances, log: &batch, tally: &tally)
        } catch { throw .store(error) }
        try write(issued.audit)
        held.remove(now)
        desk.post(issued)
        metrics.note(tally, took: .now - now)
        log.write(batch)
    }

    private func undo() throws(StoreError) {
        let undone = try issuer.current.undo(undeliverable, store: store, now: clock.milliseconds(at: .now))
        undeliverable.removeAll()
        desk.post(undone)
        metrics.noteFailedRenewals(undone.entries.count)
    }
}
