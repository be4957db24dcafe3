// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a broker says of a queue.
public struct QueueStatus: Sendable, Hashable {
    /// The queue's name.
    public let name: String
    /// How many messages are ready to be delivered.
    public let messages: Int
    /// How many consumers it has.
    public let consumers: Int
}
