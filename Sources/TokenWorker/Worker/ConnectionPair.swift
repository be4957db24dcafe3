// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import Synchronization

/// The worker's two connections, for those that they report to.
///
/// It breaks the circle between the desk, which publishes and acknowledges, and the connections, which tell the desk.
final class ConnectionPair: Sendable {
    private struct Members {
        var consumer: ConsumerConnection?
        var publisher: PublisherConnection?
    }

    private let members = Mutex(Members())

    /// Names the connections, once, before they start.
    func connect(_ consumer: ConsumerConnection, _ publisher: PublisherConnection) {
        members.withLock { $0 = Members(consumer: consumer, publisher: publisher) }
    }

    /// Opens the circle, so that its members can go.
    func disconnect() { members.withLock { $0 = Members() } }

    /// Whether a message that is published now is sent now.
    var publisherIsReady: Bool { members.withLock { $0.publisher }?.state.isReady ?? false }

    /// What the broker is, once it was reached.
    var broker: BrokerIdentity? { members.withLock { $0.publisher }?.broker }

    func publish(_ messages: [Publication]) { members.withLock { $0.publisher }?.publish(messages) }
    func acknowledge(_ receipts: [DeliveryTag]) { members.withLock { $0.consumer }?.acknowledge(receipts) }
    func giveBack(_ receipts: [DeliveryTag]) {
        members.withLock { $0.consumer }?.reject(receipts, requeue: true)
    }
    func suspend() { members.withLock { $0.consumer }?.suspend() }
    func resume() { members.withLock { $0.consumer }?.resume() }
}
