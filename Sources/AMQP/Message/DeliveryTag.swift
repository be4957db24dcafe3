// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Names one delivery for acknowledgement, bound to the life of the channel that it came on.
///
/// A tag of an earlier life is ignored when it is acknowledged: the broker has put the message back already.
public struct DeliveryTag: Sendable, Hashable {
    /// The connection object, unique in this process.
    let connection: UInt32
    /// The channel, which carries one queue's consumer.
    let channel: UInt16
    /// The life of the channel, counted from its connection's start.
    let epoch: UInt32
    /// The broker's number, from 1.
    let number: UInt64

    /// Creates a tag; outside of a connection of use in tests only.
    package init(connection: UInt32, channel: UInt16, epoch: UInt32, number: UInt64) {
        self.connection = connection
        self.channel = channel
        self.epoch = epoch
        self.number = number
    }
}
