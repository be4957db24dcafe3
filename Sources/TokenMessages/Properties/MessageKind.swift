// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a message to the worker asks for: each kind has its own queue.
public enum MessageKind: String, Sendable, Hashable, CaseIterable {
    /// A new token.
    case request
    /// A new token for a lease that lives.
    case renew
    /// No more notices and no renewal.
    case cancel

    /// The property `type` of such a message.
    public var type: String { "token." + rawValue }

    /// The routing key on the tokens exchange.
    public var routingKey: String { rawValue }
}
