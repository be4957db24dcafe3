// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform

/// One way out of a publisher: whether it is open, and what was published on it.
struct PublisherChannel {
    let number: UInt16
    var tracker = ConfirmTracker()
    var assembler = FrameAssembler(maximumBodySize: 0)
    /// Why the channel is not open; nil while it is.
    private(set) var problem: AMQPError? = AMQPError(.disconnected, "there is no connection")
    /// When to open it again, in nanoseconds of the monotonic clock.
    private(set) var retryAt: UInt64 = 0

    /// The first repair is all but immediate; only a channel that keeps failing waits longer.
    private var backOff = BackOff(first: .milliseconds(20), longest: .seconds(2))

    init(number: UInt16) {
        self.number = number
    }

    /// Notes that the channel is open and confirms.
    mutating func opened() {
        problem = nil
        assembler = FrameAssembler(maximumBodySize: 0)
    }

    /// Notes that the broker confirmed something: the channel works.
    mutating func worked() {
        backOff.succeeded()
    }

    /// Notes that the broker closed the channel.
    ///
    /// - Parameters:
    ///   - error: the broker's reason.
    ///   - now: nanoseconds of the monotonic clock.
    ///   - outcomes: what is lost with it is added here.
    mutating func closed(_ error: AMQPError, now: UInt64, into outcomes: inout [PublishOutcome]) {
        tracker.lose(error, into: &outcomes)
        problem = error
        retryAt = now + backOff.next().nanoseconds
    }

    /// Notes that there is no connection.
    ///
    /// - Parameters:
    ///   - error: why.
    ///   - outcomes: what is lost with it is added here.
    mutating func lostConnection(_ error: AMQPError, into outcomes: inout [PublishOutcome]) {
        tracker.lose(error, into: &outcomes)
        problem = error
        retryAt = 0
    }
}
