// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Foundation
import TestSupport

/// What the tests ask the management API about their virtual host.
extension VirtualHost {
    struct Consumer: Decodable {
        let consumerTag: String
        let prefetchCount: Int
    }

    struct Connection: Decodable {
        let name: String
        let userProvidedName: String?
        let clientProperties: ClientProperties
    }

    struct ClientProperties: Decodable {
        let product: String?
        let version: String?
        let capabilities: [String: Bool]?
    }

    private struct Queue: Decodable {
        let messages: Int?
    }

    private struct Message: Decodable {
        let payload: String
        let properties: RawJSON
    }

    /// Publishes through the default exchange.
    func publish(to queue: String, _ text: String, properties: String = "{}") async throws {
        let payload = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self).dropFirst().dropLast()
        try await broker.management.call(
            "POST", ["exchanges", name, "amq.default", "publish"],
            body: """
                {"properties":\(properties),"routing_key":"\(queue)","payload":\(payload),"payload_encoding":"string"}
                """)
    }

    /// Takes one message out of a queue: its payload, and its properties as JSON with sorted keys.
    func get(from queue: String) async throws -> (payload: String, properties: String)? {
        let answer = try await broker.management.call(
            "POST", ["queues", name, queue, "get"],
            body: #"{"count":1,"ackmode":"ack_requeue_false","encoding":"base64"}"#)
        guard let message = try JSONDecoder().decode([Message].self, from: Data(answer)).first else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (message.payload, String(decoding: try encoder.encode(message.properties), as: UTF8.self))
    }

    /// How many messages a queue holds, ready or unsettled, as the broker counts them now.
    func messages(in queue: String) async throws -> Int {
        try Topology(try quickConfiguration(url)).checkQueue(queue).messages
    }

    private var snakeCaseDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    func consumers() async throws -> [Consumer] {
        let answer = try await broker.management.call("GET", ["consumers", name])
        return try snakeCaseDecoder.decode([Consumer].self, from: Data(answer))
    }

    /// How many channels are open.
    func channelCount() async throws -> Int {
        struct Channel: Decodable {}
        let answer = try await broker.management.call("GET", ["vhosts", name, "channels"])
        return try JSONDecoder().decode([Channel].self, from: Data(answer)).count
    }

    /// Waits for the connection of a name.
    func connection(named wanted: String) async throws -> Connection {
        try await firstAnswer(within: .seconds(10), "a connection named \(wanted)") {
            let answer = try await broker.management.call("GET", ["vhosts", name, "connections"])
            return try snakeCaseDecoder.decode([Connection].self, from: Data(answer))
                .first { $0.userProvidedName == wanted }
        }
    }

    /// Closes the connection of a name as an operator would.
    func closeConnection(named wanted: String) async throws {
        try await broker.management.call("DELETE", ["connections", try await connection(named: wanted).name])
    }
}

/// Any JSON value, kept as it is.
private indirect enum RawJSON: Codable {
    case object([String: RawJSON])
    case array([RawJSON])
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([RawJSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: RawJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .null: try container.encodeNil()
        }
    }
}
