// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import AgoraToken
package import TokenMessages

/// A message in the queue of dead letters, as a worker or the broker put it there.
package struct DeadLetter: Sendable, Hashable {
    let delivery: Delivery
    /// Names it to people: the beginning of a hash of all that it is, so equal letters have the same.
    package let id: String
    /// Why it is one: a code of the contract, or the broker's own word.
    package let code: String
    /// The same for people, where a worker said it.
    package let message: String?
    /// The queue that it came from.
    package let originalQueue: String?
    /// When it became a dead letter, in seconds since 1970.
    package let failedAt: Int64?
    /// When it first did.
    package let firstFailedAt: Int64?
    /// How often it was delivered.
    package let attempts: Int64?

    /// Reads a delivery.
    init(_ delivery: Delivery) {
        self.delivery = delivery
        let properties = delivery.properties
        let headers = properties.headers
        let death = Self.lastDeath(headers)
        code = headers[DeadLetterHeader.errorCode]?.text ?? death?["reason"]?.text ?? "unknown"
        message = headers[DeadLetterHeader.errorMessage]?.text
        let queue = headers[DeadLetterHeader.originalQueue]?.text ?? death?["queue"]?.text
        originalQueue = queue
        if case .timestamp(let time) = death?["time"] {
            failedAt = Int64(clamping: time)
        } else {
            failedAt = properties.timestamp.map { Int64(clamping: $0) }
        }
        firstFailedAt = headers[DeadLetterHeader.firstFailedAt]?.integer ?? failedAt
        attempts = headers[DeadLetterHeader.attempts]?.integer
        var hash = SHA256()
        for part in [code, queue, properties.replyTo, failedAt.map(String.init)] {
            hash.update(Array("\(part ?? "")\n".utf8))
        }
        hash.update((properties.messageIDBytes ?? []) + [UInt8(ascii: "\n")])
        hash.update(properties.correlationID ?? [])
        if case .bytes(let bytes) = delivery.body { hash.update(bytes) }
        id = Hex.encode(hash.finalize().prefix(5))
    }

    /// Who sent it.
    package var caller: Caller { Caller(userID: userID, appID: delivery.properties.appID) }
    /// The user that the broker had checked.
    package var userID: String? {
        delivery.properties.userID ?? delivery.properties.headers[DeadLetterHeader.originalUserID]?.text
    }
    package var messageID: [UInt8]? { delivery.properties.messageIDBytes }
    package var correlationID: [UInt8]? { delivery.properties.correlationID }
    package var replyTo: String? { delivery.properties.replyTo }
    package var type: String? { delivery.properties.type }
    /// The content; empty where it was larger than is read.
    package var body: [UInt8] { if case .bytes(let bytes) = delivery.body { bytes } else { [] } }

    /// Whether ``body`` is what was sent, which it is not where that was too large for a worker or for here.
    package var hasWholeBody: Bool {
        if case .tooLarge = delivery.body { return false }
        return code != ErrorCode.messageTooLarge.rawValue
    }

    /// The queue of ours that it goes back to, or `nil` where it came from none.
    package func kind(_ names: Names) -> MessageKind? {
        MessageKind.allCases.first { names.queue($0) == originalQueue }
    }

    /// The message as it was, for another try.
    func again(_ kind: MessageKind, names: Names, id: UInt64) -> Publication {
        var properties = MessageProperties()
        let original = delivery.properties
        properties.contentType = original.contentType
        properties.type = original.type
        properties.replyTo = original.replyTo
        properties.correlationID = original.correlationID
        properties.messageIDBytes = original.messageIDBytes
        properties.appID = original.appID
        properties.userID = userID
        properties.isPersistent = true
        var headers = Publication.kept(original.headers)
        if let firstFailedAt {
            headers.append(.init(name: DeadLetterHeader.firstFailedAt, value: .integer(firstFailedAt)))
        }
        if let attempts { headers.append(.init(name: DeadLetterHeader.attempts, value: .integer(attempts))) }
        properties.headers = HeaderTable(headers)
        return Publication(
            id: id, channel: .replies, exchange: names.tokensExchange, routingKey: kind.routingKey, isMandatory: true,
            properties: properties, body: body)
    }

    /// What the broker noted when it put the message here itself.
    private static func lastDeath(_ headers: HeaderTable) -> HeaderTable? {
        guard case .array(let deaths) = headers["x-death"], case .table(let death) = deaths.first else { return nil }
        return death
    }
}
