// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import Synchronization

/// Breaks the circle between a consuming connection and the closures that it calls.
final class QueueNames: Sendable {
    private struct Weak {
        weak var connection: ConsumerConnection?
    }

    private let connection = Mutex(Weak())

    /// Names the connection, once, before it starts.
    func connect(_ connection: ConsumerConnection) { self.connection.withLock { $0.connection = connection } }

    /// The name of its first queue, as the broker gave it.
    var first: String? { current?.queueNames.first ?? nil }

    /// Acknowledges deliveries.
    func acknowledge(_ tags: [DeliveryTag]) { current?.acknowledge(tags) }

    private var current: ConsumerConnection? { connection.withLock { $0.connection } }
}
