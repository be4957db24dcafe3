// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import Synchronization

/// Breaks the circle between the desk, which publishes, and the connection, which reports to the desk.
final class PublishingLine: Sendable {
    private let publisher = Mutex<PublisherConnection?>(nil)

    /// Names the connection, once, before anything is published.
    func connect(_ publisher: PublisherConnection) { self.publisher.withLock { $0 = publisher } }

    /// Opens the circle, so that its members can go.
    func disconnect() { publisher.withLock { $0 = nil } }

    func publish(_ messages: [Publication]) {
        publisher.withLock { $0 }?.publish(messages)
    }
}
