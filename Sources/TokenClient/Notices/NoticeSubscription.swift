// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

public import AMQP
public import TokenMessages

/// Hears the notices of leases.
///
/// ```swift
/// let subscription = NoticeSubscription(configuration)
/// subscription.start()
/// for await notice in subscription.notices where notice.kind == .willExpire { … }
/// ```
///
/// A notice of a token that has been replaced is left out if the subscription knows of the newer one: from another
/// notice, or because it was told so by ``hold(_:)``. One that ``TokenClient/subscribe(to:)`` makes is told of every
/// token that its client gets.
public final class NoticeSubscription: Sendable {
    /// Where notices come from.
    public enum Source: Sendable, Hashable {
        /// A queue of this subscription alone, which misses what comes while it is not connected; the notices of one
        /// caller, or of `nil` everybody's.
        case temporary(Caller?)
        /// A durable queue that is bound already, which keeps notices until they are heard.
        case queue(String)
    }

    private let consumer: ConsumerConnection
    private let stream: AsyncStream<Delivery>
    let filter = NoticeFilter()

    /// Creates a subscription; it connects with ``start()``.
    ///
    /// - Parameters:
    ///   - configuration: how it reaches the broker.
    ///   - source: where notices come from; by default the caller's own ones.
    ///   - onState: takes each change of the connection's state, on its thread.
    public init(
        _ configuration: ClientConfiguration, source: Source? = nil,
        onState: @escaping @Sendable (ConnectionState) -> Void = { _ in }
    ) {
        let (stream, arrivals) = AsyncStream.makeStream(of: Delivery.self)
        self.stream = stream
        let queue: QueueSubscription.Source
        switch source ?? .temporary(configuration.caller) {
        case .queue(let name): queue = .existing(name)
        case .temporary(let caller):
            let pattern = caller.map { "*.*.\($0)" } ?? "#"
            queue = .temporary(bindings: [.init(exchange: configuration.names.noticesExchange, routingKey: pattern)])
        }
        consumer = ConsumerConnection(
            configuration: configuration.connection("notices"), queues: [QueueSubscription(queue)],
            onDeliveries: { deliveries in for delivery in deliveries { arrivals.yield(delivery) } },
            onState: { state in
                if state == .closed { arrivals.finish() }
                onState(state)
            })
    }

    /// Connects, and goes on trying until ``close()``.
    public func start() { consumer.start() }

    /// Ends the connection and the sequence.
    public func close() { consumer.close() }

    /// Notes a token that its holder has: notices of older ones of its lease are left out from now on.
    ///
    /// - Parameter token: the reply that brought it.
    public func hold(_ token: TokenReply) { filter.holds(token) }

    /// The notices as they come, each once, without those of tokens that have been replaced.
    ///
    /// A notice is acknowledged when the next one is asked for. The sequence may be iterated once.
    public var notices: Notices {
        Notices(stream: stream, consumer: consumer, filter: filter)
    }

    /// A sequence of notices.
    public struct Notices: AsyncSequence, Sendable {
        /// A notice.
        public typealias Element = Notice

        let stream: AsyncStream<Delivery>
        let consumer: ConsumerConnection
        let filter: NoticeFilter

        /// Begins to hear notices.
        public func makeAsyncIterator() -> Iterator {
            Iterator(arrivals: stream.makeAsyncIterator(), consumer: consumer, filter: filter)
        }

        /// What hears notices one by one.
        public struct Iterator: AsyncIteratorProtocol {
            var arrivals: AsyncStream<Delivery>.Iterator
            let consumer: ConsumerConnection
            let filter: NoticeFilter
            var heard: DeliveryTag?

            /// Waits for the next notice; `nil` when the subscription was closed.
            public mutating func next() async -> Notice? { await next(isolation: #isolation) }

            /// Waits for the next notice in the caller's isolation; `nil` when the subscription was closed.
            public mutating func next(isolation: isolated (any Actor)?) async -> Notice? {
                while true {
                    if let heard { consumer.acknowledge([heard]) }
                    guard let delivery = await arrivals.next(isolation: isolation) else { return nil }
                    heard = delivery.tag
                    guard case .bytes(let body) = delivery.body, let notice = try? Notice(body), filter.admits(notice)
                    else { continue }
                    return notice
                }
            }

            /// Acknowledges the notice that was heard last, after which none is asked for.
            package func finish() {
                if let heard { consumer.acknowledge([heard]) }
            }
        }
    }
}
