// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Declares, looks for and deletes queues and exchanges over a short connection of its own.
///
/// Everything happens on the calling thread, within the configuration's time limits. An operation that the broker
/// refuses throws its exact text, and the next operation works again.
public final class Topology {
    private let session: BrokerSession
    private let stallGuard: StallGuard
    private let stallLimit: Duration
    private var isChannelOpen = false
    private var failure: AMQPError?

    /// Connects to the first endpoint that can be reached, once each.
    ///
    /// - Parameter configuration: which brokers, and how.
    /// - Throws: why the last endpoint could not be reached.
    public init(_ configuration: ConnectionConfiguration) throws(AMQPError) {
        // Nobody sends heartbeats between two operations, so none are agreed on.
        var configuration = configuration
        configuration.heartbeat = 0
        let endpoints = try configuration.currentEndpoints().shuffled()
        let stallGuard = StallGuard()
        Watchdog.watch(stallGuard)
        var failure = AMQPError(.unreachable, "no endpoint")
        for var endpoint in endpoints {
            endpoint.heartbeat = 0
            do throws(AMQPError) {
                session = try BrokerSession.open(endpoint, configuration, stallGuard: stallGuard)
                self.stallGuard = stallGuard
                stallLimit = configuration.callTimeout + .seconds(1)
                stallGuard.rest()
                return
            } catch {
                failure = error
            }
        }
        stallGuard.finish()
        throw failure
    }

    deinit {
        if failure == nil {
            stallGuard.allow(stallLimit)
            try? session.close()
        }
        stallGuard.finish()
    }

    /// What the broker says that it is.
    public var broker: BrokerIdentity { session.broker }

    /// Whether the connection is still there, as it is after an operation that the broker only refused.
    package var isUsable: Bool { failure == nil }

    /// Declares an exchange.
    ///
    /// - Parameters:
    ///   - name: the exchange.
    ///   - type: `direct`, `topic`, `fanout` or `headers`.
    ///   - isDurable: whether it survives the broker's restart.
    ///   - arguments: further settings.
    /// - Throws: ``AMQPError/Code/preconditionFailed`` when it exists and differs, with the broker's text.
    public func declareExchange(
        _ name: String, type: String, isDurable: Bool = true, arguments: HeaderTable = [:]
    ) throws(AMQPError) {
        try perform { session throws(AMQPError) in
            try session.declareExchange(
                name, type: type, options: isDurable ? .durable : [], arguments: arguments, channel: 1)
        }
    }

    /// Looks for an exchange.
    ///
    /// - Parameter name: the exchange.
    /// - Throws: ``AMQPError/Code/notFound`` when there is none.
    public func checkExchange(_ name: String) throws(AMQPError) {
        try perform { session throws(AMQPError) in
            try session.declareExchange(name, type: "direct", options: .passive, arguments: [:], channel: 1)
        }
    }

    /// Declares a queue.
    ///
    /// - Parameters:
    ///   - name: the queue.
    ///   - isDurable: whether it survives the broker's restart.
    ///   - arguments: further settings, such as `x-queue-type`.
    /// - Returns: what the broker says of it.
    /// - Throws: ``AMQPError/Code/preconditionFailed`` when it exists and differs, with the broker's text.
    @discardableResult
    public func declareQueue(
        _ name: String, isDurable: Bool = true, arguments: HeaderTable = [:]
    ) throws(AMQPError) -> QueueStatus {
        try perform { session throws(AMQPError) in
            try session.declareQueue(name, options: isDurable ? .durable : [], arguments: arguments, channel: 1)
        }
    }

    /// Looks for a queue.
    ///
    /// - Parameter name: the queue.
    /// - Returns: what the broker says of it.
    /// - Throws: ``AMQPError/Code/notFound`` when there is none, ``AMQPError/Code/resourceLocked`` when it belongs to
    ///   another connection alone.
    @discardableResult
    public func checkQueue(_ name: String) throws(AMQPError) -> QueueStatus {
        try perform { session throws(AMQPError) in
            try session.declareQueue(name, options: .passive, channel: 1)
        }
    }

    /// Binds a queue to an exchange; once more does nothing.
    ///
    /// - Parameters:
    ///   - queue: the queue.
    ///   - exchange: the exchange.
    ///   - routingKey: the routing key or pattern.
    ///   - arguments: further settings, for exchanges that route by them.
    /// - Throws: ``AMQPError/Code/notFound`` when one of them does not exist.
    public func bindQueue(
        _ queue: String, to exchange: String, routingKey: String, arguments: HeaderTable = [:]
    ) throws(AMQPError) {
        try perform { session throws(AMQPError) in
            try session.bindQueue(queue, to: exchange, routingKey: routingKey, arguments: arguments, channel: 1)
        }
    }

    /// Deletes a queue with what is in it; one that does not exist is no error.
    ///
    /// - Parameter name: the queue.
    /// - Throws: why the broker refused.
    public func deleteQueue(_ name: String) throws(AMQPError) {
        try perform { session throws(AMQPError) in try session.deleteQueue(name, channel: 1) }
    }

    /// Drops what is ready for delivery in a queue.
    ///
    /// - Parameter name: the queue.
    /// - Throws: ``AMQPError/Code/notFound`` when there is none.
    public func purgeQueue(_ name: String) throws(AMQPError) {
        try perform { session throws(AMQPError) in try session.purgeQueue(name, channel: 1) }
    }

    /// Deletes an exchange; one that does not exist is no error.
    ///
    /// - Parameter name: the exchange.
    /// - Throws: why the broker refused.
    public func deleteExchange(_ name: String) throws(AMQPError) {
        try perform { session throws(AMQPError) in try session.deleteExchange(name, channel: 1) }
    }

    func perform<Result>(
        _ operation: (BrokerSession) throws(AMQPError) -> Result
    ) throws(AMQPError) -> Result {
        if let failure { throw failure }
        stallGuard.allow(stallLimit)
        defer { stallGuard.rest() }
        do throws(AMQPError) {
            if !isChannelOpen { try session.openChannel(1) }
            isChannelOpen = true
            let result = try operation(session)
            session.releaseBuffers()
            return result
        } catch {
            isChannelOpen = false
            if !error.isOfChannelOnly { failure = error }
            throw error
        }
    }
}
