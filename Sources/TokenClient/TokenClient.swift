// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

public import AMQP
internal import Platform
public import TokenMessages

/// Asks workers for tokens, and waits for their replies.
///
/// ```swift
/// let client = TokenClient(ClientConfiguration(endpoints: [try AMQPURL(parsing: "amqp://localhost")]))
/// client.start()
/// let reply = try await client.request(TokenRequest(channelName: "test", user: .uid(1234)))
/// ```
///
/// A client has one connection for requests and one for replies, both of which reconnect by themselves. When the one
/// for replies goes, the calls that wait fail at once, since their replies went with it; the next call works again.
/// One client serves a whole process, from any number of tasks.
public final class TokenClient: Sendable {
    let configuration: ClientConfiguration
    let center: CallCenter
    let audience = Audience()
    let keepers = Keepers()
    private let publisher: PublisherConnection
    private let consumer: ConsumerConnection

    /// Creates a client; it connects with ``start()``.
    ///
    /// - Parameter configuration: how it reaches the workers, and as whom.
    public init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
        let center = CallCenter(failsFast: !configuration.waitsForBroker)
        self.center = center
        let audience = audience
        let names = QueueNames()
        consumer = ConsumerConnection(
            configuration: configuration.connection("replies"),
            queues: [QueueSubscription(.temporary(bindings: []), isExclusive: true)],
            onDeliveries: { deliveries in
                for delivery in deliveries { Self.take(delivery, center, audience) }
                names.acknowledge(deliveries.map(\.tag))
            },
            onState: { center.consumerIs($0, queue: names.first) })
        publisher = PublisherConnection(
            configuration: configuration.connection("requests"),
            onOutcomes: { center.settle($0) }, onState: { center.publisherIs($0) })
        names.connect(consumer)
    }

    /// The connections for requests and replies end by themselves; that for notices is held by who hears them.
    deinit { keepers.letGo() }

    /// Connects, and goes on trying until ``close()``.
    public func start() {
        consumer.start()
        publisher.start()
    }

    /// Ends everything: calls that wait fail, tokens are kept no longer, and the connections are closed.
    ///
    /// Leases are not cancelled. Blocks until the connections are closed, at most some seconds where the broker does
    /// not answer.
    public func close() {
        keepers.close()
        center.close()
        publisher.close()
        consumer.close()
    }

    /// What the connection for requests can do right now.
    public var requestsState: ConnectionState { publisher.state }

    /// What the connection for replies can do right now.
    public var repliesState: ConnectionState { consumer.state }

    /// How many calls have not returned; for tests.
    package var pendingCalls: Int { center.count }

    /// How many keepers of tokens are at work; for tests.
    package var activeKeepers: Int { keepers.count }

    /// Hears the notices of leases.
    ///
    /// The subscription has a connection of its own, which is started already, and lives until it is closed.
    ///
    /// - Parameter source: where notices come from; by default the caller's own ones.
    /// - Returns: the subscription; notices of tokens that this client has replaced are left out of it.
    public func subscribe(to source: NoticeSubscription.Source? = nil) -> NoticeSubscription {
        let subscription = NoticeSubscription(configuration, source: source)
        audience.add(subscription.filter)
        subscription.start()
        return subscription
    }

    /// Asks for a new token.
    ///
    /// - Parameters:
    ///   - request: what it is for.
    ///   - messageID: the key by which a repeated request is known; one that is repeated gets the same token.
    /// - Returns: the token and what it is good for.
    /// - Throws: ``ClientError``.
    public func request(_ request: TokenRequest, messageID: String? = nil) async throws(ClientError) -> TokenReply {
        try Self.token(await call(.request, request.encode(), messageID: messageID))
    }

    /// Asks for the next token of a lease.
    ///
    /// - Parameters:
    ///   - renewal: which lease.
    ///   - messageID: the key by which a repeated renewal is known.
    /// - Returns: the token and what it is good for.
    /// - Throws: ``ClientError``.
    public func renew(_ renewal: RenewRequest, messageID: String? = nil) async throws(ClientError) -> TokenReply {
        try Self.token(await call(.renew, renewal.encode(), messageID: messageID))
    }

    /// Ends a lease: no more notices and no renewal.
    ///
    /// Its token stays valid until it expires.
    ///
    /// - Parameters:
    ///   - cancellation: which lease.
    ///   - messageID: the key by which a repeated cancellation is known.
    /// - Returns: what was ended.
    /// - Throws: ``ClientError``.
    public func cancel(
        _ cancellation: CancelRequest, messageID: String? = nil
    ) async throws(ClientError) -> CancelledReply {
        let reply = try await call(.cancel, cancellation.encode(), messageID: messageID)
        guard case .cancelled(let cancelled) = reply else { throw Self.unexpected(reply) }
        return cancelled
    }

    /// Asks what a token says, and why Agora would refuse it.
    ///
    /// - Parameter request: the token, and who would use it where.
    /// - Returns: what the worker, which knows the certificates, found.
    /// - Throws: ``ClientError``.
    public func explain(_ request: ExplainRequest) async throws(ClientError) -> ExplainedReply {
        let reply = try await call(.request, request.encode(), type: "token.explain")
        guard case .explained(let explained) = reply else { throw Self.unexpected(reply) }
        return explained
    }

    /// Sends a body as it is.
    ///
    /// - Parameters:
    ///   - kind: the queue.
    ///   - body: the message.
    ///   - messageID: the key by which a repeated message is known.
    ///   - type: the property `type`; by default that of the kind.
    /// - Returns: the reply; never an error reply.
    /// - Throws: ``ClientError``.
    public func call(
        _ kind: MessageKind, _ body: [UInt8], messageID: String? = nil, type: String? = nil
    ) async throws(ClientError) -> Reply {
        let center = center
        let number = center.begin()
        defer { center.finish(number) }
        let end = ContinuousClock.now.advanced(by: configuration.timeout)
        let timer = Task {
            try? await Task.sleep(until: end, clock: .continuous)
            center.end(number, .failure(.timedOut))
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            let connected = await center.ready(number)
            guard case .success = connected else { return connected }
            return await center.reply(to: number) {
                send(number, kind, type ?? kind.type, body, messageID, until: end)
            }
        } onCancel: {
            center.end(number, .failure(.cancelled))
        }
        guard let reply = try result.get() else { throw .unreadable("it is empty") }
        if case .error(let error) = reply { throw .refused(error) }
        return reply
    }

    private func send(
        _ number: UInt64, _ kind: MessageKind, _ type: String, _ body: [UInt8], _ messageID: String?,
        until end: ContinuousClock.Instant
    ) {
        let milliseconds = Self.expiration(end - ContinuousClock.now)
        let now = WallClock.milliseconds()
        var properties = MessageProperties.Fields()
        properties.contentType = "application/json"
        properties.type = type
        properties.replyTo = center.address
        properties.correlationID = Array(String(number).utf8)
        properties.messageID = messageID
        properties.userID = configuration.userID
        properties.appID = configuration.applicationID
        properties.timestamp = UInt64(clamping: now / 1000)
        properties.isPersistent = true
        // Nobody waits any longer then: the broker drops it, and a worker that has it signs nothing.
        properties.expiration = milliseconds
        properties.headers = ["deadline": .integer(now + Int64(milliseconds))]
        publisher.publish([
            Publication(
                id: number, channel: .replies, exchange: configuration.names.tokensExchange,
                routingKey: kind.routingKey, isMandatory: true, properties: MessageProperties(properties), body: body)
        ])
    }

    /// How long a message may wait for a worker, in milliseconds: no longer than AMQP can say, which is some weeks.
    static func expiration(_ left: Duration) -> UInt32 {
        let (seconds, attoseconds) = min(max(left, .zero), .milliseconds(Int64(UInt32.max))).components
        return UInt32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// Gives a reply to the call that waits for it; one that nobody waits for is dropped.
    private static func take(_ delivery: Delivery, _ center: CallCenter, _ audience: Audience) {
        guard let text = delivery.properties.correlationID.map({ String(decoding: $0, as: UTF8.self) }),
            let number = UInt64(text)
        else { return }
        guard case .bytes(let body) = delivery.body else {
            return center.end(number, .failure(.unreadable("it is too large")))
        }
        do throws(ReplyError) {
            let reply = try Reply(type: delivery.properties.type ?? "", body: body)
            audience.hear(reply)
            center.end(number, .success(reply))
        } catch {
            center.end(number, .failure(.unreadable("\(error)")))
        }
    }

    private static func token(_ reply: Reply) throws(ClientError) -> TokenReply {
        switch reply {
        case .issued(let token), .renewed(let token): return token
        default: throw unexpected(reply)
        }
    }

    private static func unexpected(_ reply: Reply) -> ClientError {
        .unreadable("\(reply.type) answers another message")
    }
}
