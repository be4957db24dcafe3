// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A queue to consume from.
public struct QueueSubscription: Sendable, Hashable {
    /// An exchange and a routing key to bind a temporary queue with.
    public struct Binding: Sendable, Hashable {
        /// The exchange.
        public let exchange: String
        /// The routing key or pattern.
        public let routingKey: String

        /// Creates a binding.
        ///
        /// - Parameters:
        ///   - exchange: the exchange.
        ///   - routingKey: the routing key or pattern.
        public init(exchange: String, routingKey: String) {
            self.exchange = exchange
            self.routingKey = routingKey
        }
    }

    /// Which queue it is.
    public enum Source: Sendable, Hashable {
        /// A queue that exists already; it is never declared, only looked for.
        case existing(String)
        /// A queue of this connection alone, named by the broker anew at each connection, with these bindings.
        case temporary(bindings: [Binding])
    }

    /// Which queue it is.
    public var source: Source
    /// The consumer's name in the management UI; nil lets the broker choose one.
    public var consumerTag: String?
    /// Whether nobody else may consume from the queue meanwhile.
    public var isExclusive: Bool

    /// Creates a subscription.
    ///
    /// - Parameters:
    ///   - source: which queue it is.
    ///   - consumerTag: the consumer's name in the management UI; nil lets the broker choose one.
    ///   - isExclusive: whether nobody else may consume from it meanwhile.
    public init(_ source: Source, consumerTag: String? = nil, isExclusive: Bool = false) {
        self.source = source
        self.consumerTag = consumerTag
        self.isExclusive = isExclusive
    }
}
