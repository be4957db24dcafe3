// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform

/// Consumes every queue on a channel of its own, and repairs what breaks.
final class ConsumerRole: ConnectionRole {
    private let plan: ConsumerPlan
    private var channels: [ConsumerChannel]
    private var arrived: [Delivery] = []
    private var hasAcknowledgements = false
    private var isSuspended = false
    /// Whether deliveries from before the suspension may still have to be handed over.
    private var isDraining = false
    private(set) var isClosing = false

    init(_ plan: ConsumerPlan, _ configuration: ConnectionConfiguration) {
        self.plan = plan
        channels = plan.queues.enumerated().map { index, subscription in
            ConsumerChannel(
                number: UInt16(index + 1), subscription, maximumBodySize: configuration.maximumBodySize)
        }
    }

    var isFinished: Bool { true }
    var hasMore: Bool { false }
    var underway: Int { channels.reduce(0) { $0 + $1.ledger.outstanding } }

    var state: ConnectionState {
        if isSuspended {
            return isDraining || channels.contains(where: \.isConsuming) ? .ready : .suspended
        }
        let problems = channels.compactMap(\.problem)
        return problems.isEmpty ? .ready : .incomplete(problems)
    }

    func opened(_ session: BrokerSession) throws(AMQPError) {
        try takeOwnership(session)
        let now = MonotonicClock.nanoseconds()
        for index in channels.indices { try establish(index, session, now: now) }
    }

    /// Declares the queue that only one connection can have.
    ///
    /// Refused, the whole connection is of no use.
    private func takeOwnership(_ session: BrokerSession) throws(AMQPError) {
        guard let queue = plan.exclusiveOwnerQueue else { return }
        let channel = UInt16(channels.count + 1)
        try session.openChannel(channel)
        _ = try session.declareQueue(queue, options: .exclusive, channel: channel)
    }

    func take(_ commands: [ConsumerConnection.Command], _ session: BrokerSession?) throws(AMQPError) {
        for command in commands {
            switch command {
            case .acknowledge(let tags):
                hasAcknowledgements = true
                for tag in tags {
                    if let index = channelIndex(of: tag) { channels[index].ledger.acknowledge(tag.number) }
                }
            case .reject(let tags, let requeue):
                for tag in tags {
                    guard let session, let index = channelIndex(of: tag), channels[index].ledger.reject(tag.number)
                    else { continue }
                    try session.reject(tag.number, requeue: requeue, channel: channels[index].number)
                }
            case .suspend:
                isSuspended = true
                if let session { try cancelConsumers(session) }
            case .resume:
                isSuspended = false
            case .close:
                isClosing = true
            }
        }
    }

    /// The channel whose present life a tag belongs to.
    private func channelIndex(of tag: DeliveryTag) -> Int? {
        let index = Int(tag.channel) - 1
        guard tag.connection == plan.identity, channels.indices.contains(index),
            channels[index].epoch == tag.epoch, tag.number > 0
        else { return nil }
        return index
    }

    func take(_ frame: IncomingFrame, _ session: BrokerSession) throws(AMQPError) {
        switch frame {
        case .content(let channel, let content):
            let index = try index(of: channel)
            guard let message = try channels[index].assembler.add(content) else { return }
            try arrived(message, at: index)
        case .consumerCancelled(let channel):
            let index = try index(of: channel)
            let name = plan.names[index] ?? ""
            channels[index].lostConsumer(
                AMQPError(.notFound, "queue '\(name)' was deleted or became unavailable"),
                now: MonotonicClock.nanoseconds())
        case .channelClosed(let channel, let error):
            let index = try index(of: channel)
            channels[index].lostChannel(error, now: MonotonicClock.nanoseconds())
        case .confirm, .blocked, .unblocked, .other:
            break
        }
    }

    private func index(of channel: UInt16) throws(AMQPError) -> Int {
        let index = Int(channel) - 1
        guard channels.indices.contains(index) else {
            throw AMQPError(.protocolViolation, "the broker sent a frame on channel \(channel), which is not open")
        }
        return index
    }

    private func arrived(_ message: FrameAssembler.Message, at index: Int) throws(AMQPError) {
        guard case .delivery(let method, let properties, let body) = message else {
            throw AMQPError(.protocolViolation, "the broker returned a message that was never published")
        }
        try channels[index].ledger.delivered(method.number)
        let tag = DeliveryTag(
            connection: plan.identity, channel: channels[index].number, epoch: channels[index].epoch,
            number: method.number)
        arrived.append(
            Delivery(
                tag: tag, queue: index, exchange: method.exchange, routingKey: method.routingKey,
                isRedelivered: method.isRedelivered, properties: properties, body: body))
    }

    func turn(_ session: BrokerSession, now: UInt64) throws(AMQPError) {
        handOver()
        isDraining = isDraining && session.hasPutAside
        if hasAcknowledgements {
            hasAcknowledgements = false
            try acknowledge(session)
        }
        guard !isSuspended, !isClosing else { return }
        for index in channels.indices where !channels[index].isConsuming && channels[index].retryAt <= now {
            try establish(index, session, now: now)
        }
    }

    private func acknowledge(_ session: BrokerSession) throws(AMQPError) {
        session.beginBatch()
        for index in channels.indices {
            for acknowledgement in channels[index].ledger.takeAcknowledgements() {
                try session.acknowledge(acknowledgement, channel: channels[index].number)
            }
        }
        try session.endBatch()
    }

    private func handOver() {
        guard !arrived.isEmpty else { return }
        let deliveries = arrived
        arrived = []
        plan.onDeliveries(deliveries)
    }

    func lost(_ error: AMQPError) {
        // What nobody has seen yet need not be worked on twice: the broker delivers it again.
        arrived = []
        isDraining = false
        for index in channels.indices { channels[index].lostConnection() }
    }

    /// Cancels every consumer.
    ///
    /// Deliveries on their way meanwhile are kept for the next turn.
    private func cancelConsumers(_ session: BrokerSession) throws(AMQPError) {
        isDraining = true
        for index in channels.indices {
            guard case .consuming(let tag) = channels[index].phase else { continue }
            do throws(AMQPError) {
                try session.cancel(tag, channel: channels[index].number)
                channels[index].cancelled()
            } catch {
                guard error.isOfChannelOnly else { throw error }
                channels[index].lostChannel(error, now: MonotonicClock.nanoseconds())
            }
        }
    }

    /// Opens the channel if need be, looks for the queue and consumes it; a refusal is tried again later.
    private func establish(_ index: Int, _ session: BrokerSession, now: UInt64) throws(AMQPError) {
        let channel = channels[index].number
        do throws(AMQPError) {
            if case .closed = channels[index].phase {
                try session.openChannel(channel)
                channels[index].opened()
            }
            let name = try find(channels[index].subscription.source, session, channel: channel)
            plan.found(name, at: index)
            guard !isSuspended else { return channels[index].cancelled() }
            try session.setPrefetch(plan.prefetch, channel: channel)
            let subscription = channels[index].subscription
            channels[index].consumes(
                try session.consume(
                    name, tag: subscription.consumerTag, isExclusive: subscription.isExclusive, channel: channel))
        } catch {
            guard error.isOfChannelOnly else { throw error }
            channels[index].lostChannel(error, now: now)
        }
    }

    /// The name of the queue to consume, which exists.
    private func find(
        _ source: QueueSubscription.Source, _ session: BrokerSession, channel: UInt16
    ) throws(AMQPError) -> String {
        switch source {
        case .existing(let name):
            return try session.declareQueue(name, options: .passive, channel: channel).name
        case .temporary(let bindings):
            let queue = try session.declareQueue("", options: [.exclusive, .autoDelete], channel: channel).name
            for binding in bindings {
                try session.bindQueue(
                    queue, to: binding.exchange, routingKey: binding.routingKey, arguments: [:], channel: channel)
            }
            return queue
        }
    }
}
