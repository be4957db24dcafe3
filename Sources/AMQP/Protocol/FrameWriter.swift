// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Writes frames one after the other into one buffer, so that many publications are sent by one system call.
///
/// librabbitmq makes three calls for each. What is written must have passed ``PublicationCheck``.
struct FrameWriter {
    /// The frames so far.
    private(set) var bytes: [UInt8] = []
    private let largestBody: Int

    /// Creates a writer of nothing.
    ///
    /// - Parameter frameMax: the largest frame that was negotiated, in bytes.
    init(frameMax: Int) {
        // A frame has 8 bytes around its payload.
        largestBody = max(frameMax, 4096) - 8
    }

    /// Forgets what was written, and gives memory back that only a large message needed.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 256 << 10)
    }

    /// Writes the frames of one message: method, header and as many bodies as it takes.
    mutating func publish(_ publication: Publication, channel: UInt16) {
        let method = beginFrame(.method, channel: channel)
        long(Self.basic << 16 | 40)
        short(0)
        shortString(publication.exchange)
        shortString(publication.routingKey)
        octet(publication.isMandatory ? 1 : 0)
        endFrame(method)
        let header = beginFrame(.header, channel: channel)
        long(Self.basic << 16)
        longLong(UInt64(publication.body.count))
        properties(publication.properties.fields)
        endFrame(header)
        var start = 0
        while start < publication.body.count {
            let end = min(start + largestBody, publication.body.count)
            let body = beginFrame(.body, channel: channel)
            if end - start == publication.body.count {
                bytes += publication.body
            } else {
                bytes += publication.body[start..<end]
            }
            endFrame(body)
            start = end
        }
    }

    /// Writes an acknowledgement of deliveries.
    mutating func acknowledge(_ acknowledgement: SettlementLedger.Acknowledgement, channel: UInt16) {
        let method = beginFrame(.method, channel: channel)
        long(Self.basic << 16 | 80)
        longLong(acknowledgement.number)
        octet(acknowledgement.isMultiple ? 1 : 0)
        endFrame(method)
    }

    private static let basic: UInt32 = 60

    private enum Kind: UInt8 {
        case method = 1
        case header = 2
        case body = 3
    }

    /// Writes what comes before a payload, and returns what ``endFrame(_:)`` needs.
    private mutating func beginFrame(_ kind: Kind, channel: UInt16) -> Int {
        octet(kind.rawValue)
        short(channel)
        return beginSized()
    }

    private mutating func endFrame(_ start: Int) {
        endSized(start)
        octet(0xCE)
    }

    /// Leaves room for the size in bytes of what comes next, and returns where.
    private mutating func beginSized() -> Int {
        long(0)
        return bytes.count
    }

    /// Writes the size of what has come since ``beginSized()``, which is known only now.
    private mutating func endSized(_ start: Int) {
        let size = UInt32(truncatingIfNeeded: bytes.count - start)
        for position in 0..<4 { bytes[start - 4 + position] = UInt8(truncatingIfNeeded: size >> (24 - 8 * position)) }
    }
}

extension FrameWriter {
    /// The flags say which properties follow, in the protocol's order.
    private mutating func properties(_ properties: MessageProperties.Fields) {
        var flags: UInt16 = 1 << 12
        if properties.contentType != nil { flags |= 1 << 15 }
        if properties.contentEncoding != nil { flags |= 1 << 14 }
        if !properties.headers.isEmpty { flags |= 1 << 13 }
        if properties.priority != nil { flags |= 1 << 11 }
        if properties.correlationID != nil { flags |= 1 << 10 }
        if properties.replyTo != nil { flags |= 1 << 9 }
        if properties.expiration != nil { flags |= 1 << 8 }
        if properties.messageIDBytes != nil { flags |= 1 << 7 }
        if properties.timestamp != nil { flags |= 1 << 6 }
        if properties.type != nil { flags |= 1 << 5 }
        if properties.userID != nil { flags |= 1 << 4 }
        if properties.appID != nil { flags |= 1 << 3 }
        short(flags)
        if let contentType = properties.contentType { shortString(contentType) }
        if let contentEncoding = properties.contentEncoding { shortString(contentEncoding) }
        if !properties.headers.isEmpty { table(properties.headers) }
        octet(properties.isPersistent ? 2 : 1)
        if let priority = properties.priority { octet(priority) }
        if let correlationID = properties.correlationID { shortString(correlationID) }
        if let replyTo = properties.replyTo { shortString(replyTo) }
        if let expiration = properties.expiration { shortString(String(expiration)) }
        if let messageID = properties.messageIDBytes { shortString(messageID) }
        if let timestamp = properties.timestamp { longLong(timestamp) }
        if let type = properties.type { shortString(type) }
        if let userID = properties.userID { shortString(userID) }
        if let appID = properties.appID { shortString(appID) }
    }

    private mutating func table(_ table: HeaderTable) {
        let start = beginSized()
        for entry in table.entries {
            shortString(entry.name)
            value(entry.value)
        }
        endSized(start)
    }

    private mutating func value(_ value: FieldValue) {
        switch value {
        case .bytes(let text):
            octet(UInt8(ascii: "S"))
            long(UInt32(truncatingIfNeeded: text.count))
            bytes += text
        case .integer(let number):
            octet(UInt8(ascii: "l"))
            longLong(UInt64(bitPattern: number))
        case .boolean(let flag):
            octet(UInt8(ascii: "t"))
            octet(flag ? 1 : 0)
        case .double(let number):
            octet(UInt8(ascii: "d"))
            longLong(number.bitPattern)
        case .timestamp(let seconds):
            octet(UInt8(ascii: "T"))
            longLong(seconds)
        case .array(let values):
            octet(UInt8(ascii: "A"))
            let start = beginSized()
            for value in values { self.value(value) }
            endSized(start)
        case .table(let table):
            octet(UInt8(ascii: "F"))
            self.table(table)
        case .void, .omitted:
            octet(UInt8(ascii: "V"))
        }
    }

    /// At most 255 bytes, which the check has seen to.
    private mutating func shortString(_ text: String) {
        octet(UInt8(truncatingIfNeeded: text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func shortString(_ text: [UInt8]) {
        octet(UInt8(truncatingIfNeeded: text.count))
        bytes += text
    }

    private mutating func octet(_ value: UInt8) { bytes.append(value) }

    private mutating func short(_ value: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    private mutating func long(_ value: UInt32) {
        short(UInt16(truncatingIfNeeded: value >> 16))
        short(UInt16(truncatingIfNeeded: value))
    }

    private mutating func longLong(_ value: UInt64) {
        long(UInt32(truncatingIfNeeded: value >> 32))
        long(UInt32(truncatingIfNeeded: value))
    }
}
