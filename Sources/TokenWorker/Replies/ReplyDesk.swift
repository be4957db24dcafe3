// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import LeaseStore
internal import Synchronization
internal import TokenMessages

/// Publishes replies and dead letters, and acknowledges the deliveries that they answer once the broker has them.
///
/// The issuer posts, the publishing connection reports; between the two stands a ``ReplyLedger``.
final class ReplyDesk: Sendable {
    typealias Ledger = ReplyLedger<DeliveryTag, Publication, Claim>

    /// What is undone when a reply reaches nobody.
    indirect enum Claim: Sendable, Equatable {
        /// The lease that the reply announced ends.
        case issued(Lease)
        /// The renewal stands, and its owner hears of it by a notice.
        case renewed(Lease)
        /// Those of the items of a batch, none of which is again several.
        case several([Claim])

        /// The claims by themselves.
        var parts: [Claim] { if case .several(let claims) = self { claims } else { [self] } }

        var isRenewal: Bool { if case .renewed = self { true } else { false } }
    }

    /// A reply that nobody takes, to be undone by the issuer.
    struct Undeliverable: Sendable {
        let receipt: DeliveryTag?
        let claim: Claim
    }

    private let ledger = Mutex(Ledger())
    private let log: Log
    private let pair: ConnectionPair
    private let metrics: WorkerMetrics
    private let changed: @Sendable ([Undeliverable]) -> Void

    /// Connects the desk to its neighbours.
    ///
    /// - Parameters:
    ///   - log: where undeliverable replies are told.
    ///   - pair: publishes and acknowledges.
    ///   - metrics: counts undeliverable replies.
    ///   - changed: told on the publisher's thread when a retry was planned or a reply given up.
    init(
        log: Log, pair: ConnectionPair, metrics: WorkerMetrics = WorkerMetrics(),
        changed: @escaping @Sendable ([Undeliverable]) -> Void
    ) {
        self.log = log
        self.pair = pair
        self.metrics = metrics
        self.changed = changed
    }

    /// How many publications are not settled.
    var count: Int { ledger.withLock { $0.count } }

    /// Whether everything posted is settled, but for what nobody knows when it will be.
    var isDone: Bool { ledger.withLock { $0.isDone } }

    /// When ``publishDue(_:)`` will next have something to do.
    var nextDue: ContinuousClock.Instant? { ledger.withLock { $0.nextDue } }

    /// Publishes what a batch came to; the ids of its publications are given here.
    func post(_ batch: Issuer.Batch) {
        if !batch.silent.isEmpty { pair.acknowledge(batch.silent) }
        let entries = batch.entries
        guard !entries.isEmpty else { return }
        var publications: [Publication] = []
        publications.reserveCapacity(entries.count)
        ledger.withLock { ledger in
            for index in entries.indices {
                publications.append(entries[index].message)
                publications[index].id = ledger.enter(entries[index])
            }
        }
        pair.publish(publications)
    }

    /// Takes the broker's word on publications.
    func settle(_ outcomes: some Sequence<PublishOutcome>) {
        let now = ContinuousClock.now
        var done: [DeliveryTag] = []
        var back: [DeliveryTag] = []
        var undeliverable: [Undeliverable] = []
        var waits = false
        var givenUp = 0
        var batch = log.batch()
        ledger.withLock { ledger in
            for outcome in outcomes {
                switch ledger.settle(outcome.id, Ledger.Outcome(outcome.result), at: now) {
                case .acknowledge(let receipt): if let receipt { done.append(receipt) }
                case .wait: waits = true
                case .stuck(let entry, let reason):
                    waits = true
                    Self.add(.error, "waits", entry, reason, to: &batch)
                case .unknown: break
                case .giveBack(let receipt, let entry):
                    back.append(receipt)
                    Self.add(.warning, "reply_refused", entry, .refused, to: &batch)
                case .giveUp(let entry, let reason):
                    givenUp += 1
                    Self.add(.warning, "reply_undeliverable", entry, reason, to: &batch)
                    if let claim = entry.claim {
                        undeliverable.append(Undeliverable(receipt: entry.receipt, claim: claim))
                    } else if let receipt = entry.receipt {
                        done.append(receipt)
                    }
                }
            }
        }
        if givenUp > 0 { metrics.noteUndeliverable(givenUp) }
        if !done.isEmpty { pair.acknowledge(done) }
        if !back.isEmpty { pair.giveBack(back) }
        if waits || !undeliverable.isEmpty { changed(undeliverable) }
        log.write(batch)
    }

    /// Publishes again what has waited long enough.
    func publishDue(_ now: ContinuousClock.Instant) {
        let isReady = pair.publisherIsReady
        publish(again: ledger.withLock { $0.due(now, publisherIsReady: isReady) })
    }

    /// Notes that the consuming connection went, and its deliveries went back to their queues.
    func deliveriesWereLost() {
        ledger.withLock { $0.orphan() }
    }

    /// Publishes again what the last connection lost.
    func reconnected() {
        publish(again: ledger.withLock { $0.reconnected() })
    }

    private func publish(again messages: [(id: UInt64, message: Publication)]) {
        guard !messages.isEmpty else { return }
        pair.publish(
            messages.map { id, message in
                var publication = message
                publication.id = id
                return publication
            })
    }

    private static func add(
        _ level: LogBatch.Level, _ event: String, _ entry: Ledger.Entry, _ reason: Ledger.Outcome,
        to batch: inout LogBatch
    ) {
        batch.add(level, event) { fields in
            fields.add("reason", "\(reason)")
            fields.add("address", entry.address)
            fields.add("type", entry.message.properties.type)
            fields.add(
                "correlationId", entry.message.properties.correlationID.map { String(decoding: $0, as: UTF8.self) })
        }
    }
}

extension ReplyLedger.Outcome {
    init(_ result: PublishOutcome.Result) {
        self =
            switch result {
            case .confirmed: .confirmed
            case .nacked: .refused
            case .returned: .unroutable
            case .invalid: .unsendable
            case .lost: .lost
            }
    }
}
