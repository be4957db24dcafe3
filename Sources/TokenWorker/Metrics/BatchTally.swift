// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import TokenMessages

/// What the issuer counts while it answers a batch: a value of its thread, published once the batch is done.
struct BatchTally: Sendable {
    /// The longest wait that is believed, in milliseconds, and the most that clocks may differ: a timestamp in other units
    /// gives more.
    private static let longestWait: Int64 = 30 * 86_400_000

    /// What became of messages and of the items of batches.
    private(set) var outcomes = Tally<RequestOutcome>()
    /// Messages by the position of their queue.
    private(set) var messages = Array(repeating: UInt64(0), count: Issuer.queues.count)
    /// How long messages had waited, as far as they said when they were sent.
    private(set) var waits = Histogram.waits
    /// How long the store took, for each transaction.
    private(set) var commits: [Duration] = []

    /// Counts a message that was taken from its queue.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - now: milliseconds since 1970.
    mutating func take(_ message: IncomingMessage, now: Int64) {
        messages[message.delivery.queue] += 1
        guard let sent = message.delivery.sentAt else { return }
        let (wait, isAbsurd) = now.subtractingReportingOverflow(sent)
        guard !isAbsurd, (-Self.longestWait...Self.longestWait).contains(wait) else { return }
        // Clocks differ; a message cannot have waited for less than nothing.
        waits.observe(Double(max(wait, 0)) / 1000)
    }

    /// Counts what a message was answered.
    ///
    /// One without a queue for replies is a dead letter if anything is wrong with it, by its first fault.
    mutating func answer(_ answer: ReplyComposer.Answer, _ message: IncomingMessage, _ plan: Plan) {
        let kind = RequestOutcome.Kind.of(message)
        var isUnanswered = message.properties.replyTo == nil
        guard case .several(let plans, _) = plan else {
            return add(.of(answer.reply, kind, plan), &isUnanswered)
        }
        for (item, plan) in zip(answer.items, plans) { add(.of(item, kind, plan), &isUnanswered) }
    }

    private mutating func add(_ outcome: RequestOutcome, _ isUnanswered: inout Bool) {
        var outcome = outcome
        if isUnanswered, outcome.code != nil {
            outcome.isDead = true
            isUnanswered = false
        }
        outcomes.add(outcome)
    }

    /// Counts a message that nobody could be answered for.
    mutating func dead(_ message: IncomingMessage, _ code: ErrorCode) {
        outcomes.add(RequestOutcome(kind: .of(message), code: code, isDead: true))
    }

    /// Notes how long a transaction took.
    mutating func committed(_ duration: Duration) { commits.append(duration) }

    /// Forgets everything, for the next batch.
    mutating func reset() {
        outcomes.reset()
        for index in messages.indices { messages[index] = 0 }
        waits.reset()
        commits.removeAll(keepingCapacity: true)
    }
}
