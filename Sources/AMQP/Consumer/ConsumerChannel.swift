// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform

/// The channel of one queue: whether it is open and consumed, and what was delivered on it.
struct ConsumerChannel {
    /// What the channel is doing.
    enum Phase {
        /// Closed; to be opened.
        case closed
        /// Open, without a consumer.
        case open
        /// Open, with a consumer of this tag.
        case consuming(String)
    }

    let number: UInt16
    let subscription: QueueSubscription
    private(set) var phase = Phase.closed
    /// The life of the channel, which delivery tags are bound to.
    private(set) var epoch: UInt32 = 0
    /// Why the queue is not consumed.
    private(set) var problem: AMQPError?
    /// When to try again, in nanoseconds of the monotonic clock.
    private(set) var retryAt: UInt64 = 0
    var ledger = SettlementLedger()
    var assembler: FrameAssembler

    private let maximumBodySize: UInt64
    /// A queue that comes back is consumed within 2 s.
    private var backOff = BackOff(first: .milliseconds(200), longest: .seconds(2))

    init(number: UInt16, _ subscription: QueueSubscription, maximumBodySize: UInt64) {
        self.number = number
        self.subscription = subscription
        self.maximumBodySize = maximumBodySize
        self.assembler = FrameAssembler(maximumBodySize: maximumBodySize)
    }

    /// Whether a consumer is there.
    var isConsuming: Bool {
        if case .consuming = phase { true } else { false }
    }

    /// Notes that the channel was opened: its numbers begin at 1 again.
    mutating func opened() {
        phase = .open
        epoch += 1
        ledger = SettlementLedger()
        assembler = FrameAssembler(maximumBodySize: maximumBodySize)
    }

    /// Notes that the queue is being consumed.
    mutating func consumes(_ tag: String) {
        phase = .consuming(tag)
        problem = nil
        backOff.succeeded()
    }

    /// Notes that the consumer was cancelled on request.
    mutating func cancelled() {
        phase = .open
        problem = nil
        retryAt = 0
    }

    /// Notes that the broker cancelled the consumer; what was delivered may still be settled.
    mutating func lostConsumer(_ error: AMQPError, now: UInt64) {
        phase = .open
        failed(error, now: now)
    }

    /// Notes that the broker closed the channel; what was delivered is void.
    mutating func lostChannel(_ error: AMQPError, now: UInt64) {
        phase = .closed
        ledger = SettlementLedger()
        failed(error, now: now)
    }

    /// Notes that the connection is over, which makes the queue none the worse.
    mutating func lostConnection() {
        phase = .closed
        ledger = SettlementLedger()
        problem = nil
        retryAt = 0
        backOff.succeeded()
    }

    private mutating func failed(_ error: AMQPError, now: UInt64) {
        problem = error
        retryAt = now + backOff.next().nanoseconds
    }
}
