// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import TokenMessages

extension Publication {
    /// A message that nobody can be answered for, on its way to the dead letters.
    ///
    /// It keeps what a repeat needs. Texts are cut, so that whatever a stranger sent fits into a frame.
    ///
    /// - Parameters:
    ///   - delivery: the message as it came.
    ///   - fault: why.
    ///   - names: the names of the contract.
    ///   - kind: the queue that it came from.
    ///   - now: seconds since 1970.
    init(dead delivery: Delivery, _ fault: MessageError, names: Names, kind: MessageKind, now: UInt64) {
        let original = delivery.properties
        var message = MessageProperties()
        message.contentType = original.contentType
        message.type = original.type ?? kind.type
        message.replyTo = original.replyTo
        message.correlationID = original.correlationID
        message.messageIDBytes = original.messageIDBytes
        message.appID = original.appID
        message.timestamp = now
        message.isPersistent = true
        let earlier = original.headers[DeadLetterHeader.attempts]?.integer ?? 0
        let first = original.headers[DeadLetterHeader.firstFailedAt]?.integer ?? 0
        let seconds = Int64(clamping: now)
        var headers: [HeaderTable.Entry] = [
            .init(name: DeadLetterHeader.errorCode, value: .string(fault.code.rawValue)),
            .init(name: DeadLetterHeader.errorMessage, value: .string(Self.cut(fault.message))),
            .init(name: DeadLetterHeader.originalQueue, value: .string(names.queue(kind))),
            .init(
                name: DeadLetterHeader.firstFailedAt, value: .integer(first > 0 && first < seconds ? first : seconds)),
            .init(
                name: DeadLetterHeader.attempts,
                value: .integer(min(max(earlier, 0), Delivery.mostDeliveries) + delivery.earlierDeliveries + 1)),
        ]
        if let user = original.userID {
            headers.append(.init(name: DeadLetterHeader.originalUserID, value: .string(user)))
        }
        headers += Self.kept(original.headers)
        message.headers = HeaderTable(headers)
        var body: [UInt8] = []
        if case .bytes(let bytes) = delivery.body { body = bytes }
        self.init(
            id: 0, channel: .replies, routingKey: names.deadQueue, isMandatory: true, properties: message, body: body)
    }

    /// The headers of the contract, without values that no client of ours sends.
    static func kept(_ headers: HeaderTable) -> [HeaderTable.Entry] {
        DeadLetterHeader.kept.compactMap { name in
            switch headers[name] {
            case .integer(let number): .init(name: name, value: .integer(number))
            case .bytes(let bytes) where bytes.count <= DeadLetterHeader.longestText:
                .init(name: name, value: .bytes(bytes))
            default: nil
            }
        }
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > DeadLetterHeader.longestText else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: DeadLetterHeader.longestText - 3)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return text[..<end] + "…"
    }
}
