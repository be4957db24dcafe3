// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import TokenMessages

extension Publication {
    /// A reply on its way to the queue that the message names.
    ///
    /// - Parameters:
    ///   - reply: the reply.
    ///   - properties: its properties.
    ///   - address: the queue, checked.
    init(_ reply: Reply, _ properties: ReplyProperties, to address: String) {
        var message = MessageProperties.Fields()
        message.contentType = properties.contentType
        message.type = properties.type
        message.correlationID = properties.correlationID
        message.messageID = properties.messageID
        message.timestamp = properties.timestamp
        message.appID = ReplyProperties.appID
        message.isPersistent = true
        message.headers = HeaderTable(properties)
        // A direct reply-to is not a queue: the broker would send a mandatory message back although it arrived.
        self.init(
            id: 0, channel: .replies, routingKey: address, isMandatory: !ReplyAddress.isDirect(address),
            properties: MessageProperties(message), body: reply.encode())
    }

    /// A notice on its way to whoever has bound a queue for it.
    init(_ notice: Notice, names: Names) {
        var message = MessageProperties.Fields()
        message.contentType = Notice.contentType
        message.type = notice.kind.eventType
        message.messageID = notice.id
        message.timestamp = UInt64(clamping: notice.timeMilliseconds / 1000)
        message.appID = ReplyProperties.appID
        message.isPersistent = true
        // Beside those in the event, for whoever follows traces without reading bodies.
        if let trace = notice.trace { message.headers.entries += HeaderTable.entries(of: trace) }
        self.init(
            id: 0, channel: .notices, exchange: names.noticesExchange, routingKey: notice.routingKey,
            properties: MessageProperties(message), body: notice.encode())
    }
}

extension HeaderTable {
    /// The headers of a reply; those of most are always the same.
    fileprivate init(_ properties: ReplyProperties) {
        guard properties.errorCode != nil || properties.trace != nil else {
            self = Self.ofSuccess
            return
        }
        self.init(Self.start(properties.status))
        if let code = properties.errorCode { entries.append(.init(name: "errorCode", value: .string(code.rawValue))) }
        if let trace = properties.trace { entries += Self.entries(of: trace) }
    }

    /// The headers of a trace.
    fileprivate static func entries(of trace: TraceContext) -> [Entry] {
        var entries = [Entry(name: "traceparent", value: .string(trace.traceparent))]
        if let state = trace.tracestate { entries.append(Entry(name: "tracestate", value: .string(state))) }
        return entries
    }

    private static let ofSuccess = HeaderTable(start("ok"))

    private static func start(_ status: String) -> [Entry] {
        [
            .init(name: "status", value: .string(status)),
            .init(name: "contractVersion", value: .integer(ReplyProperties.contractVersion)),
        ]
    }
}
