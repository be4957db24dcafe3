// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The AMQP properties and headers of an incoming message that the contract reads.
public struct RequestProperties: Sendable, Hashable {
    /// What the queue takes that the message came from.
    public var kind: MessageKind
    /// The property `type`.
    public var type: String?
    /// The property `reply_to`.
    public var replyTo: String?
    /// The property `correlation_id`, byte for byte.
    public var correlationID: [UInt8]?
    /// The property `message_id`, byte for byte: the idempotency key.
    public var messageID: [UInt8]?
    /// The property `user_id`, validated by the broker.
    public var userID: String?
    /// The property `app_id`.
    public var appID: String?
    /// The header `deadline`: Unix milliseconds.
    public var deadline: HeaderValue?
    /// The header `contractVersion`.
    public var contractVersion: HeaderValue?
    /// The header `traceparent`.
    public var traceparent: HeaderValue?
    /// The header `tracestate`.
    public var tracestate: HeaderValue?
    /// Whether the broker marks the delivery as possibly not the first.
    public var isRedelivered: Bool

    /// Properties of a message that has none.
    ///
    /// - Parameter kind: what the queue takes that the message came from.
    public init(kind: MessageKind) {
        self.kind = kind
        isRedelivered = false
    }

    /// Whether the message asks for the explanation of a token, which comes on the queue of requests.
    public var isExplanation: Bool { kind == .request && type == Self.explainType }

    /// The property `type` of a message that asks for the explanation of a token.
    public static let explainType = "token.explain"

    /// Who sent the message.
    public var caller: Caller { Caller(userID: userID, appID: appID) }

    /// What the reply's `correlation_id` has to be: that of the message, else its `message_id`.
    public var replyCorrelationID: [UInt8]? { correlationID ?? messageID }

    /// The trace that the message belongs to; malformed headers count as none.
    public var trace: TraceContext? {
        guard case .text(let parent) = traceparent else { return nil }
        guard case .text(let state) = tracestate else { return TraceContext(traceparent: parent, tracestate: nil) }
        return TraceContext(traceparent: parent, tracestate: state)
    }
}
