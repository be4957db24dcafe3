// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Platform
import Synchronization
import TokenClient
import TokenMessages

/// Keeps a number of token requests on their way: each reply brings the next request.
final class LoadGenerator: Sendable {
    /// What the requests are.
    struct Plan: Sendable {
        /// How many are on their way at any time.
        var window: Int
        /// How many users they are for, in turn; each has a lease where the worker keeps leases.
        var users: UInt64
        /// Whether they ask for a lease.
        var wantsLease: Bool
    }

    private let configuration: ClientConfiguration
    private let plan: Plan
    private let ledger = Mutex(LoadLedger())
    private let pair = Mutex<(consumer: ConsumerConnection, publisher: PublisherConnection)?>(nil)

    /// Describes a load; it connects with ``start()``.
    ///
    /// - Parameters:
    ///   - configuration: how the broker is reached, and as whom.
    ///   - plan: what the requests are.
    init(_ configuration: ClientConfiguration, _ plan: Plan) {
        self.configuration = configuration
        self.plan = plan
    }

    /// Connects.
    func start() {
        var settings = configuration.connection("replies")
        settings.backOff = BackOff(first: .milliseconds(50), longest: .seconds(1))
        let consumer = ConsumerConnection(
            configuration: settings, queues: [QueueSubscription(.temporary(bindings: []), isExclusive: true)],
            prefetch: 0, onDeliveries: { [weak self] in self?.take($0) },
            onState: { [weak self] in self?.note($0) })
        let publisher = PublisherConnection(
            configuration: configuration.connection("requests"), onOutcomes: { [weak self] in self?.settle($0) },
            onState: { [weak self] in self?.note($0) })
        pair.withLock { $0 = (consumer, publisher) }
        consumer.start()
        publisher.start()
    }

    /// Ends both connections.
    func close() {
        let pair = pair.withLock { $0 }
        pair?.publisher.close()
        pair?.consumer.close()
        self.pair.withLock { $0 = nil }
    }

    /// Whether requests can be sent and their replies be had.
    var isReady: Bool {
        pair.withLock { pair in
            guard let pair else { return false }
            return pair.consumer.state.isReady && pair.publisher.state.isReady
        }
    }

    /// Why it cannot go on.
    var fault: String? { ledger.withLock { $0.fault } }

    /// How many requests are on their way.
    var outstanding: Int { ledger.withLock { $0.outstanding } }

    /// What was counted so far.
    var counts: LoadLedger.Counts { ledger.withLock { $0.counts } }

    /// Fills the window.
    func fill() { send(plan.window) }

    /// Begins to count.
    func beginMeasuring() { ledger.withLock { $0.beginMeasuring() } }

    /// Stops counting and sending.
    func end() { ledger.withLock { $0.end() } }

    private func take(_ deliveries: [Delivery]) {
        let now = MonotonicClock.nanoseconds()
        let next = ledger.withLock { ledger in
            deliveries.count { delivery in
                guard let number = Self.number(of: delivery) else { return false }
                return ledger.answered(number, error: Self.error(of: delivery), at: now)
            }
        }
        pair.withLock { $0?.consumer }?.acknowledge(deliveries.map(\.tag))
        send(next)
    }

    private func settle(_ outcomes: [PublishOutcome]) {
        let next = ledger.withLock { ledger in
            outcomes.count { outcome in
                switch outcome.result {
                case .confirmed: return false
                case .nacked: return ledger.refused(outcome.id)
                case .returned: ledger.fail("no queue takes the requests; agora-token topology apply makes it")
                case .invalid(let reason): ledger.fail("the request cannot be sent: \(reason)")
                case .lost(let error): ledger.fail("\(error)")
                }
                return false
            }
        }
        send(next)
    }

    private func note(_ state: ConnectionState) {
        switch state {
        case .unreachable(let error, retryAfter: _): ledger.withLock { $0.fail("\(error)") }
        case .incomplete(let errors): ledger.withLock { $0.fail(errors.first.map { "\($0)" } ?? "not connected") }
        default: break
        }
    }

    private func send(_ count: Int) {
        guard count > 0, let pair = pair.withLock({ $0 }), let address = pair.consumer.queueNames.first ?? nil else {
            return
        }
        let numbers = ledger.withLock { $0.send(count, at: MonotonicClock.nanoseconds()) }
        var properties = MessageProperties.Fields()
        properties.contentType = "application/json"
        properties.replyTo = address
        properties.userID = configuration.userID
        properties.appID = configuration.applicationID
        properties.isPersistent = true
        pair.publisher.publish(
            numbers.map { number in
                properties.correlationID = Array(String(number).utf8)
                return Publication(
                    id: number, channel: .replies, exchange: configuration.names.tokensExchange,
                    routingKey: MessageKind.request.routingKey, isMandatory: true,
                    properties: MessageProperties(properties),
                    body: body(number))
            })
    }

    private func body(_ number: UInt64) -> [UInt8] {
        let user = number % plan.users
        let digits = String(user)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("channelName", "bench-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits)
        writer.member("uid", user + 1)
        writer.member("role", 1)
        if !plan.wantsLease { writer.member("notify", false) }
        writer.endObject()
        return writer.bytes
    }

    private static func number(of delivery: Delivery) -> UInt64? {
        delivery.properties.correlationID.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }

    /// The code of an error reply; empty for one that names none.
    private static func error(of delivery: Delivery) -> String? {
        guard delivery.properties.type == "token.error" else { return nil }
        return delivery.properties.headers["errorCode"]?.text ?? ""
    }
}
