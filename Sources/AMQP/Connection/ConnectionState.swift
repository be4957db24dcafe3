// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a connection is able to do right now.
public enum ConnectionState: Sendable, Hashable {
    /// Created, and not started yet.
    case idle
    /// Trying to connect; the number of attempts since the last success, from 1.
    case connecting(attempt: Int)
    /// Everything works: all queues are consumed, or all channels publish.
    case ready
    /// Connected, but some queues are not consumed or some channels not open; why, one error each.
    case incomplete([AMQPError])
    /// Connected; the consumers are cancelled on request.
    case suspended
    /// Connected; the broker has stopped publishing on this connection, with its reason.
    case blocked(String)
    /// Not connected, with the reason, and the pause before the next attempt.
    case unreachable(AMQPError, retryAfter: Duration)
    /// Closed on request, for good.
    case closed

    /// Whether the next message could be consumed or published.
    public var isReady: Bool { self == .ready }
}
