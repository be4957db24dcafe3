// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A connection that consumes from queues and acknowledges, and never publishes.
///
/// One thread of its own owns the connection: it connects, and connects again for as long as it takes, consumes
/// every queue on a channel of its own, and hands over what arrives. All methods may be called from any thread.
///
/// Guarantees:
/// - Nothing is acknowledged that was not asked for; a delivery is settled at most once; a tag whose channel is gone
///   is dropped silently, as the broker has put its message back.
/// - A queue that is missing, deleted or refused is tried again until it is there, and ``state`` says so meanwhile;
///   the other queues are not disturbed.
public final class ConsumerConnection: Sendable {
    enum Command: Sendable {
        case acknowledge([DeliveryTag])
        case reject([DeliveryTag], requeue: Bool)
        case suspend
        case resume
        case close
    }

    private let configuration: ConnectionConfiguration
    private let plan: ConsumerPlan
    private let control: ConnectionControl<Command>

    /// Creates a connection; nothing happens before ``start()``.
    ///
    /// - Parameters:
    ///   - configuration: which brokers, and how.
    ///   - queues: the queues to consume, at most 100.
    ///   - prefetch: how many unsettled deliveries each queue may have; 0 means without limit.
    ///   - exclusiveOwnerQueue: a queue that must belong to this connection alone before anything is consumed: a lock
    ///     that the broker frees when the connection ends. While another connection holds it, the state is
    ///     ``ConnectionState/unreachable(_:retryAfter:)`` with ``AMQPError/Code/resourceLocked``.
    ///   - onDeliveries: takes what has arrived, in order per queue. Called on the connection's thread: it may only
    ///     hand over.
    ///   - onState: takes each change of state. Called on the connection's thread.
    public init(
        configuration: ConnectionConfiguration, queues: [QueueSubscription], prefetch: UInt16 = 250,
        exclusiveOwnerQueue: String? = nil, onDeliveries: @escaping @Sendable ([Delivery]) -> Void,
        onState: @escaping @Sendable (ConnectionState) -> Void = { _ in }
    ) {
        precondition(queues.count <= 100, "a connection consumes at most 100 queues")
        self.configuration = configuration
        self.plan = ConsumerPlan(
            queues: queues, prefetch: prefetch, exclusiveOwnerQueue: exclusiveOwnerQueue, onDeliveries: onDeliveries)
        self.control = ConnectionControl(onState: onState, onLeftover: { _ in })
    }

    deinit {
        _ = control.mailbox.post(.close)
    }

    /// Starts the connection's thread; further calls do nothing.
    public func start() {
        let configuration = configuration
        let plan = plan
        let control = control
        control.start(named: "amqp-consume") {
            ConnectionLoop(configuration, control, role: ConsumerRole(plan, configuration)).run()
        }
    }

    /// What the connection can do right now.
    public var state: ConnectionState { control.state }

    /// The broker that the connection was last made to; nil before the first.
    public var broker: BrokerIdentity? { control.broker }

    /// The name of each queue as last consumed, by position; nil for one that has not been consumed yet.
    ///
    /// A temporary queue has another name after each reconnection; names are set before the state becomes ready.
    public var queueNames: [String?] { plan.names }

    /// Settles deliveries as done.
    ///
    /// Tags that are stale or settled already are ignored.
    ///
    /// - Parameter tags: the deliveries, in any order.
    public func acknowledge(_ tags: [DeliveryTag]) {
        _ = control.mailbox.post(.acknowledge(tags))
    }

    /// Settles deliveries as refused.
    ///
    /// Tags that are stale or settled already are ignored.
    ///
    /// - Parameters:
    ///   - tags: the deliveries, in any order.
    ///   - requeue: whether they go back to their queue; otherwise they are dead-lettered or dropped.
    public func reject(_ tags: [DeliveryTag], requeue: Bool) {
        _ = control.mailbox.post(.reject(tags, requeue: requeue))
    }

    /// Cancels the consumers; what was delivered stays with its owner and may still be settled.
    ///
    /// The state is ``ConnectionState/suspended`` when no further delivery will come.
    public func suspend() {
        _ = control.mailbox.post(.suspend)
    }

    /// Consumes again after ``suspend()``.
    public func resume() {
        _ = control.mailbox.post(.resume)
    }

    /// Settles what was asked for, takes leave of the broker, and waits for the thread to end.
    ///
    /// What is still unsettled goes back to its queue. To finish it first: ``suspend()``, settle, then close.
    ///
    /// Not to be called from the connection's own callbacks.
    ///
    /// - Parameter limit: the longest time for it; after it the connection is cut.
    /// - Returns: whether the leave was orderly.
    @discardableResult
    public func close(within limit: Duration = .seconds(5)) -> Bool {
        control.close(with: .close, within: limit)
    }
}
