// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A frame from the broker, copied out of the library's memory.
enum IncomingFrame {
    /// A part of a message.
    case content(channel: UInt16, ContentFrame)
    /// The broker took responsibility for publications, or refused to.
    case confirm(channel: UInt16, Confirm)
    /// The broker cancelled the channel's consumer, for instance because its queue was deleted.
    case consumerCancelled(channel: UInt16)
    /// The broker closed a channel, which has been acknowledged.
    case channelClosed(channel: UInt16, AMQPError)
    /// The broker stops reading publications, with its reason.
    case blocked(String)
    /// The broker reads again.
    case unblocked
    /// A heartbeat, or an answer that nobody waits for.
    case other
}

/// A frame that carries a part of a message: a method, then a header, then bodies up to the header's size.
enum ContentFrame {
    case deliver(DeliverMethod)
    case returned(ReturnMethod)
    case header(bodySize: UInt64, MessageProperties)
    case body([UInt8])
}

/// The fields of `basic.deliver` that matter here.
struct DeliverMethod: Hashable {
    var number: UInt64
    var isRedelivered: Bool
    var exchange: String
    var routingKey: String
}

/// The fields of `basic.return`.
struct ReturnMethod: Hashable {
    var code: UInt16
    var text: String
    var exchange: String
    var routingKey: String
}

/// The fields of `basic.ack` and `basic.nack` from the broker.
struct Confirm: Hashable {
    var number: UInt64
    var isMultiple: Bool
    var isPositive: Bool
}
