// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AMQP
internal import Platform
package import TokenMessages

/// The queue of dead letters, read by one operator at a time.
///
/// Letters that are read come back to the queue unless they were requeued or dropped. One that is requeued leaves the
/// queue only after the broker has confirmed its copy, so a crash in between leaves both, never none.
package final class DeadLetterQueue {
    private struct Inbox: Sendable {
        var letters: [DeadLetter] = []
        var failure: AMQPError?
    }

    private let names: Names
    private let configuration: ConnectionConfiguration
    private let inbox: Mailbox<Inbox>
    private let consumer: ConsumerConnection
    private var publisher: DeadLetterPublisher?
    private var taken = 0
    /// How many letters there were at the start.
    package let count: Int

    /// Connects, and begins to read.
    ///
    /// - Parameters:
    ///   - configuration: which brokers, and how.
    ///   - names: the names of the contract.
    ///   - limit: how many letters may be in hand at a time.
    /// - Throws: why there is no connection or no queue.
    package init(_ configuration: ConnectionConfiguration, names: Names, limit: UInt16 = .max) throws(AMQPError) {
        self.names = names
        self.configuration = configuration
        count = try Topology(configuration).checkQueue(names.deadQueue).messages
        let inbox = Mailbox(empty: Inbox())
        self.inbox = inbox
        consumer = ConsumerConnection(
            configuration: configuration, queues: [QueueSubscription(.existing(names.deadQueue))],
            prefetch: max(1, min(limit, UInt16(clamping: count))),
            onDeliveries: { deliveries in inbox.put { $0.letters += deliveries.map { DeadLetter($0) } } },
            onState: { state in
                switch state {
                case .unreachable(let error, retryAfter: _): inbox.put { $0.failure = error }
                case .incomplete(let errors): inbox.put { $0.failure = errors.first }
                case .idle, .connecting, .ready, .suspended, .blocked, .closed: break
                }
            })
        consumer.start()
    }

    /// Gives each of the letters that there were at the start, as they come in, to `body`.
    ///
    /// - Parameters:
    ///   - most: no more than so many.
    ///   - body: takes some at a time.
    /// - Returns: how many there were; fewer than expected where somebody else took some.
    /// - Throws: why the connection broke, or what `body` threw.
    package func read(atMost most: Int, _ body: ([DeadLetter]) throws -> Void) throws -> Int {
        var seen = 0
        let wanted = min(most, count)
        while seen < wanted {
            let content = inbox.take(until: .now.advanced(by: .seconds(3)))
            if let failure = content.failure { throw failure }
            guard !content.letters.isEmpty else { break }
            let letters = Array(content.letters.prefix(wanted - seen))
            seen += letters.count
            try body(letters)
        }
        return seen
    }

    /// Sends letters back to where they came from.
    ///
    /// - Returns: for each letter that stays, why.
    /// - Throws: why there is no connection to publish on.
    package func requeue(_ letters: [DeadLetter]) throws(AMQPError) -> [(letter: DeadLetter, reason: String)] {
        let publisher =
            if let publisher { publisher } else { try DeadLetterPublisher(configuration, names: names) }
        self.publisher = publisher
        let failures = try publisher.publish(letters)
        let staying = Set(failures.map(\.letter.delivery.tag))
        drop(letters.filter { !staying.contains($0.delivery.tag) })
        return failures
    }

    /// Takes letters off the queue for good.
    package func drop(_ letters: [DeadLetter]) {
        taken += letters.count
        consumer.acknowledge(letters.map(\.delivery.tag))
    }

    /// Takes leave; what was read and is still there is back in the queue afterwards.
    package func close() {
        publisher?.close()
        consumer.close()
        awaitReturn()
    }

    /// The broker gives back what was only read a moment after it has closed the connection.
    ///
    /// The operator's next command shall find it, unless that takes longer than 3 s, or somebody else has taken it.
    private func awaitReturn() {
        guard taken < count, let topology = try? Topology(configuration) else { return }
        let end = ContinuousClock.now.advanced(by: .seconds(3))
        while let ready = try? topology.checkQueue(names.deadQueue).messages, ready < count - taken, .now < end {
            _ = inbox.take(until: .now.advanced(by: .milliseconds(20)))
        }
    }
}
