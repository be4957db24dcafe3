// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import Platform
internal import TokenMessages

/// Publishes dead letters anew, and waits for what the broker says.
final class DeadLetterPublisher {
    private struct Inbox: Sendable {
        var outcomes: [PublishOutcome] = []
        var state: ConnectionState?
    }

    /// How long a confirm, or a connection, is waited for.
    private static var patience: Duration { .seconds(15) }

    private let names: Names
    private let inbox: Mailbox<Inbox>
    private let publisher: PublisherConnection
    private var nextID: UInt64 = 1

    /// Connects.
    ///
    /// - Throws: why there is no connection.
    init(_ configuration: ConnectionConfiguration, names: Names) throws(AMQPError) {
        self.names = names
        let inbox = Mailbox(empty: Inbox())
        self.inbox = inbox
        publisher = PublisherConnection(
            configuration: configuration, onOutcomes: { outcomes in inbox.put { $0.outcomes += outcomes } },
            onState: { state in inbox.put { $0.state = state } })
        publisher.start()
        try waitForConnection()
    }

    /// Publishes letters and waits for all outcomes.
    ///
    /// - Returns: those that the broker did not take, with the reason.
    func publish(_ letters: [DeadLetter]) throws(AMQPError) -> [(letter: DeadLetter, reason: String)] {
        // A user that the broker does not let us name costs the channel: such letters must not take others along.
        let named = letters.filter { $0.userID != nil }
        var failures = try publishTogether(letters.filter { $0.userID == nil })
        for letter in named { failures += try publishTogether([letter]) }
        return failures
    }

    /// Ends the connection.
    func close() { publisher.close() }

    private func publishTogether(
        _ letters: [DeadLetter]
    ) throws(AMQPError) -> [(letter: DeadLetter, reason: String)] {
        var waiting: [UInt64: DeadLetter] = [:]
        var failures: [(letter: DeadLetter, reason: String)] = []
        var publications: [Publication] = []
        for letter in letters {
            guard let kind = letter.kind(names) else {
                failures.append((letter, "it did not come from one of the queues of \(names.tokensExchange)"))
                continue
            }
            guard letter.hasWholeBody else {
                failures.append((letter, "its body was too large to be kept, so there is nothing to send"))
                continue
            }
            publications.append(letter.again(kind, names: names, id: nextID))
            waiting[nextID] = letter
            nextID += 1
        }
        guard !publications.isEmpty else { return failures }
        try waitForConnection()
        publisher.publish(publications)
        let end = ContinuousClock.now.advanced(by: Self.patience)
        while !waiting.isEmpty, .now < end {
            for outcome in inbox.take(until: end).outcomes {
                guard let letter = waiting.removeValue(forKey: outcome.id) else { continue }
                if let reason = Self.reason(outcome.result, letter) { failures.append((letter, reason)) }
            }
        }
        failures += waiting.values.map { ($0, "the broker did not confirm it in time") }
        return failures
    }

    private func waitForConnection() throws(AMQPError) {
        let end = ContinuousClock.now.advanced(by: Self.patience)
        while !publisher.state.isReady {
            if case .unreachable(let error, retryAfter: _) = publisher.state { throw error }
            guard .now < end else { throw AMQPError(.timedOut, "no connection to publish on") }
            _ = inbox.take(until: min(end, .now.advanced(by: .milliseconds(100))))
        }
    }

    private static func reason(_ result: PublishOutcome.Result, _ letter: DeadLetter) -> String? {
        switch result {
        case .confirmed: nil
        case .nacked: "the broker refused it; its queue may be full"
        case .returned: "its queue does not exist"
        case .invalid(let reason): reason
        case .lost(let error) where error.code == .preconditionFailed && letter.userID != nil:
            "only its own user, or one with the tag impersonator, may send it again (\(error))"
        case .lost(let error): "\(error)"
        }
    }
}
