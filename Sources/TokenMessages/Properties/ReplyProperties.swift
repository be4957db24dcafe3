// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The AMQP properties and headers of a reply, which is sent persistent.
///
/// Nothing else of the incoming message is copied: headers that begin with `x-` belong to the broker.
public struct ReplyProperties: Sendable, Hashable {
    /// The version of the contract that is spoken here.
    public static let contractVersion: Int64 = 1
    /// The property `app_id` of whatever a worker sends.
    public static let appID = "agora-token"

    /// The property `content_type`.
    public let contentType = "application/json"
    /// The property `type`.
    public let type: String
    /// The property `correlation_id`, byte for byte as it came.
    public let correlationID: [UInt8]?
    /// The property `message_id`.
    public let messageID: String
    /// The property `timestamp`, in seconds since 1970.
    public let timestamp: UInt64
    /// The header `errorCode`; nil for a reply that is no error.
    public let errorCode: ErrorCode?
    /// The headers `traceparent` and `tracestate`.
    public let trace: TraceContext?

    /// The header `status`.
    public var status: String { errorCode == nil ? "ok" : "error" }

    /// Addresses a reply to a message.
    ///
    /// - Parameters:
    ///   - reply: the reply.
    ///   - request: the properties of the message.
    ///   - messageID: the `message_id` of the reply, the same for every repeat.
    ///   - timestamp: now, in seconds since 1970.
    public init(
        _ reply: borrowing Reply, to request: borrowing RequestProperties, messageID: String, timestamp: UInt64
    ) {
        self.init(
            reply, correlationID: request.replyCorrelationID, messageID: messageID, timestamp: timestamp,
            trace: request.trace)
    }

    /// Addresses a reply that nobody asked for just now.
    ///
    /// - Parameters:
    ///   - reply: the reply.
    ///   - correlationID: the correlation id of the message that ordered it.
    ///   - messageID: the `message_id` of the reply, the same for every repeat.
    ///   - timestamp: now, in seconds since 1970.
    ///   - trace: the trace of the message that ordered it.
    package init(
        _ reply: borrowing Reply, correlationID: [UInt8]?, messageID: String, timestamp: UInt64, trace: TraceContext?
    ) {
        type = reply.type
        self.correlationID = correlationID
        self.messageID = messageID
        self.timestamp = timestamp
        errorCode = reply.errorCode
        self.trace = trace
    }
}
