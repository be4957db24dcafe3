// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import TokenMessages

extension RequestProperties {
    /// What the contract reads of a delivery's properties and headers.
    init(_ delivery: Delivery, kind: MessageKind) {
        self.init(kind: kind)
        let properties = delivery.properties
        // What is there but not UTF-8 is something else than nothing: U+FFFD stands for it.
        func text(_ value: String?, _ name: String) -> String? {
            value ?? (properties.undecodable.contains(name) ? "\u{FFFD}" : nil)
        }
        type = text(properties.type, "type")
        // Some clients send an empty one for none.
        replyTo = text(properties.replyTo, "reply_to").flatMap { $0.isEmpty ? nil : $0 }
        correlationID = properties.correlationID
        messageID = properties.messageIDBytes
        userID = properties.userID
        appID = text(properties.appID, "app_id")
        isRedelivered = delivery.isRedelivered
        for header in properties.headers.entries {
            switch header.name {
            case "deadline": deadline = HeaderValue(header.value)
            case "contractVersion": contractVersion = HeaderValue(header.value)
            case "traceparent": traceparent = HeaderValue(header.value)
            case "tracestate": tracestate = HeaderValue(header.value)
            default: break
            }
        }
    }
}

extension HeaderValue {
    init(_ value: FieldValue) {
        if let number = value.integer {
            self = .integer(number)
        } else if let text = value.text {
            self = .text(text)
        } else {
            self = .other
        }
    }
}
