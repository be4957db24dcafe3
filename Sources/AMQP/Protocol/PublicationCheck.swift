// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Finds out before anything is sent whether a publication can travel.
///
/// librabbitmq sends the method before it encodes the properties: one that fails then would poison the connection.
enum PublicationCheck {
    /// The deepest nesting of a header value.
    static let maximumDepth = 16
    /// RabbitMQ's own limit of a message's size, in bytes.
    static let maximumBodySize = 128 << 20

    /// Checks a publication.
    ///
    /// - Parameters:
    ///   - publication: what is to be sent.
    ///   - frameMax: the largest frame that was negotiated, in bytes.
    /// - Returns: what is wrong with it; nil when nothing is.
    static func problem(of publication: Publication, frameMax: Int) -> String? {
        if publication.exchange.utf8.count > 255 { return tooLong("exchange") }
        if publication.routingKey.utf8.count > 255 { return tooLong("routing key") }
        if publication.body.count > maximumBodySize {
            return "the body has \(publication.body.count) bytes; RabbitMQ takes at most \(maximumBodySize)"
        }
        return problem(of: publication.properties.fields, frameMax: frameMax)
    }

    private static func problem(of properties: MessageProperties.Fields, frameMax: Int) -> String? {
        // Class, weight, body size, flags, delivery mode, priority, time stamp, expiration, the table's length.
        var size = 2 + 2 + 8 + 2 + 1 + 1 + 8 + 11 + 4
        let texts: [(StaticString, Int?)] = [
            ("content_type", properties.contentType?.utf8.count),
            ("content_encoding", properties.contentEncoding?.utf8.count),
            ("type", properties.type?.utf8.count), ("reply_to", properties.replyTo?.utf8.count),
            ("correlation_id", properties.correlationID?.count), ("message_id", properties.messageIDBytes?.count),
            ("user_id", properties.userID?.utf8.count), ("app_id", properties.appID?.utf8.count),
        ]
        for case (let name, let count?) in texts {
            if count > 255 { return tooLong("property \(name)") }
            size += count + 1
        }
        // A frame has 8 bytes of its own; some room is left for what a broker adds on the way.
        let limit = frameMax - 8 - 64
        for entry in properties.headers.entries {
            guard let entrySize = encodedSize(of: entry, depth: 1) else {
                return "a header's name is longer than 255 bytes, or its value nested deeper than \(maximumDepth)"
            }
            size += entrySize
            if size > limit { break }
        }
        return size > limit ? "properties and headers need more than \(limit) bytes" : nil
    }

    private static func tooLong(_ name: String) -> String {
        "the \(name) is longer than 255 bytes"
    }

    private static func encodedSize(of entry: HeaderTable.Entry, depth: Int) -> Int? {
        guard entry.name.utf8.count <= 255, let size = encodedSize(of: entry.value, depth: depth) else { return nil }
        return 1 + entry.name.utf8.count + size
    }

    private static func encodedSize(of value: FieldValue, depth: Int) -> Int? {
        guard depth <= maximumDepth else { return nil }
        switch value {
        case .bytes(let bytes):
            return 1 + 4 + bytes.count
        case .integer, .double, .timestamp:
            return 1 + 8
        case .boolean:
            return 1 + 1
        case .void, .omitted:
            return 1
        case .array(let values):
            var size = 1 + 4
            for value in values {
                guard let valueSize = encodedSize(of: value, depth: depth + 1) else { return nil }
                size += valueSize
            }
            return size
        case .table(let table):
            var size = 1 + 4
            for entry in table.entries {
                guard let entrySize = encodedSize(of: entry, depth: depth + 1) else { return nil }
                size += entrySize
            }
            return size
        }
    }
}
