// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A message to publish.
public struct Publication: Sendable, Hashable {
    /// The two ways out of a publisher; an error on one leaves the other alone.
    public enum Channel: Int, Sendable, Hashable, CaseIterable {
        /// For answers to somebody's queue.
        case replies
        /// For everything that nobody asked for, such as notices to an exchange.
        case notices
    }

    /// The caller's number for it, repeated in the outcome.
    ///
    /// Unique among those outstanding.
    public var id: UInt64
    /// The way out.
    public var channel: Channel
    /// The exchange; empty for the default exchange, which routes by queue name.
    public var exchange: String
    /// The routing key.
    public var routingKey: String
    /// Whether the broker is to send it back when no queue takes it.
    public var isMandatory: Bool
    /// The message's properties.
    public var properties: MessageProperties
    /// The message's content.
    public var body: [UInt8]

    /// Creates a publication.
    ///
    /// - Parameters:
    ///   - id: the caller's number for it.
    ///   - channel: the way out.
    ///   - exchange: the exchange; empty for the default exchange.
    ///   - routingKey: the routing key, or the queue's name for the default exchange.
    ///   - isMandatory: whether it comes back when no queue takes it.
    ///   - properties: the properties.
    ///   - body: the content.
    public init(
        id: UInt64, channel: Channel, exchange: String = "", routingKey: String, isMandatory: Bool = false,
        properties: MessageProperties = MessageProperties(), body: [UInt8]
    ) {
        self.id = id
        self.channel = channel
        self.exchange = exchange
        self.routingKey = routingKey
        self.isMandatory = isMandatory
        self.properties = properties
        self.body = body
    }
}
