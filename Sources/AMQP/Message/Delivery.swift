// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A message that arrived from a queue.
public struct Delivery: Sendable, Hashable {
    /// The content of a message.
    public enum Body: Sendable, Hashable {
        /// The content, byte for byte.
        case bytes([UInt8])
        /// A content over the configured limit, which was skipped; its size in bytes.
        case tooLarge(UInt64)
    }

    /// What to acknowledge or reject.
    public let tag: DeliveryTag
    /// Which of the consumer's queues it came from, by position.
    public let queue: Int
    /// The exchange that it was published to; empty for the default exchange.
    public let exchange: String
    /// The routing key that it was published with.
    public let routingKey: String
    /// Whether the broker may have delivered it before.
    public let isRedelivered: Bool
    /// The message's properties.
    public let properties: MessageProperties
    /// The message's content.
    public let body: Body

    /// Creates a delivery; outside of a connection of use in tests only.
    package init(
        tag: DeliveryTag, queue: Int, exchange: String, routingKey: String, isRedelivered: Bool,
        properties: MessageProperties, body: Body
    ) {
        self.tag = tag
        self.queue = queue
        self.exchange = exchange
        self.routingKey = routingKey
        self.isRedelivered = isRedelivered
        self.properties = properties
        self.body = body
    }
}
