// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation

/// Properties of a message, as `amqp_driver.py` takes and gives them.
struct DriverProperties: Codable, Sendable, Hashable {
    var contentType: String?
    var headers: [String: HeaderValue]?
    var deliveryMode: Int?
    var correlationID: String?
    var replyTo: String?
    var messageID: String?
    var timestamp: Int?
    var type: String?
    var userID: String?
    var appID: String?

    enum CodingKeys: String, CodingKey {
        case headers, timestamp, type
        case contentType = "content_type"
        case deliveryMode = "delivery_mode"
        case correlationID = "correlation_id"
        case replyTo = "reply_to"
        case messageID = "message_id"
        case userID = "user_id"
        case appID = "app_id"
    }
}

/// A header: text, or a number; anything else reads as empty text.
enum HeaderValue: Codable, Sendable, Hashable {
    case text(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text((try? container.decode(String.self)) ?? "")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
}

/// A message that arrived.
struct DriverMessage: Sendable {
    let queue: String
    let routingKey: String
    /// When it arrived, in seconds since 1970.
    let arrival: Double
    let properties: DriverProperties
    let body: [UInt8]

    /// The body as JSON.
    func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}

/// One line for `amqp_driver.py`.
struct DriverCommand: Encodable {
    let op: String
    let ref: Int
    var queue: String?
    var exclusive: Bool?
    var durable: Bool?
    var passive: Bool?
    var arguments: [String: String]?
    var exchange: String?
    var key: String?
    var body: String?
    var safely: Bool?
    var properties: DriverProperties?
}

/// One line of `amqp_driver.py`.
struct DriverEvent: Decodable {
    let event: String
    let ref: Int?
    let queue: String?
    let key: String?
    let messages: Int?
    let consumers: Int?
    let at: Double?
    let body: String?
    let properties: DriverProperties?
    let reason: String?
}
