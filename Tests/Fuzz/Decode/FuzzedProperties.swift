// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// The input as properties of a message: parts between zero bytes, each absent where it is empty.
struct FuzzedProperties {
    private let properties: RequestProperties
    private let body: [UInt8]

    init(_ input: [UInt8]) {
        var parts = input.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)[...]
        func next() -> [UInt8]? { parts.popFirst().flatMap { $0.isEmpty ? nil : $0 } }
        func text() -> String? { next().map { String(decoding: $0, as: UTF8.self) } }
        func header() -> HeaderValue? {
            text().map { text in Int64(text).map(HeaderValue.integer) ?? (text == "?" ? .other : .text(text)) }
        }
        let kinds = MessageKind.allCases
        var properties = RequestProperties(kind: kinds[Int(next()?.first ?? 0) % kinds.count])
        properties.type = text()
        properties.replyTo = text()
        properties.correlationID = next()
        properties.messageID = next()
        properties.userID = text()
        properties.appID = text()
        properties.deadline = header()
        properties.contractVersion = header()
        properties.traceparent = header()
        properties.tracestate = header()
        self.properties = properties
        body = next() ?? []
    }

    func check() throws(MessageError) {
        // Of letters that a routing key may have, and short enough for one.
        let caller = properties.caller.text
        precondition(!caller.isEmpty && caller.utf8.count <= 202 && caller.utf8.allSatisfy(Self.isOfCaller))
        precondition(properties.replyCorrelationID == properties.correlationID ?? properties.messageID)
        let key = RequestKey(properties, body: body)
        precondition(key.item(0).key == key.key && key.item(1).key != key.key)
        // A trace goes on, or is none.
        if let trace = properties.trace { precondition(trace.continued(span: 7).traceparent.utf8.count == 55) }
        try properties.check()
        try properties.checkDeadline(now: 1_790_000_000_000)
        let address = try ReplyAddress(names: .standard, allowsDirect: true).check(properties.replyTo)
        precondition(address == properties.replyTo && !Names.standard.ownQueues.contains(address))
        precondition(address.hasPrefix("reply.") || address.hasPrefix("amq."))
    }

    private static func isOfCaller(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "%"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
