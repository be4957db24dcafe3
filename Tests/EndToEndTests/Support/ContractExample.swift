// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import TokenMessages

/// A message of the contract's examples, what had been sent before it, and its reply.
struct ContractExample: Sendable {
    /// One message of an example.
    struct Step: Sendable {
        let kind: Requester.Kind
        let body: String
        let type: String?
        let headers: [String: HeaderValue]?
        let messageID: String?
        /// The token and the generation of the reply, as far as later messages have them.
        let reply: [String: String]

        init(_ json: [String: Any]) throws {
            guard let kind = (json["kind"] as? String).flatMap(Requester.Kind.init(rawValue:)), let body = json["body"]
            else { throw TestFailure("a message without kind or body: \(json)") }
            self.kind = kind
            if let text = body as? String {
                self.body = text
            } else {
                let data = try JSONSerialization.data(withJSONObject: body, options: .withoutEscapingSlashes)
                self.body = String(decoding: data, as: UTF8.self)
            }
            type = json["type"] as? String
            headers = (json["headers"] as? [String: Int])?.mapValues { .number($0) }
            messageID = json["messageId"] as? String
            reply = (json["reply"] as? [String: Any] ?? [:]).mapValues { "\($0)" }
        }
    }

    let name: String
    let given: [Step]
    let step: Step
    let waitSeconds: Int?
    let isLive: Bool
    let replyType: String
    let stableReply: String
    /// The codes of the reply, or of its items.
    let codes: [String]

    /// Every message of the examples.
    static func all() throws -> [ContractExample] { try list("messages").map(ContractExample.init) }

    /// A dead letter of the examples.
    static func deadLetter(_ name: String) throws -> [String: Any]? {
        try list("deadLetters").first { $0["name"] as? String == name }
    }

    private static func list(_ name: String) throws -> [[String: Any]] {
        let json = try JSONSerialization.jsonObject(with: Data(ContractDocument.examples)) as? [String: Any]
        return json?[name] as? [[String: Any]] ?? []
    }

    private init(_ json: [String: Any]) throws {
        let reply = json["reply"] as? [String: Any] ?? [:]
        name = json["name"] as? String ?? ""
        given = try (json["given"] as? [[String: Any]] ?? []).map(Step.init)
        step = try Step(json)
        waitSeconds = json["waitSeconds"] as? Int
        isLive = json["live"] as? Bool ?? true
        replyType = reply["type"] as? String ?? ""
        stableReply = try Self.stable(reply["body"] ?? [:])
        let body = reply["body"] as? [String: Any] ?? [:]
        codes = ([body] + (body["results"] as? [[String: Any]] ?? [])).compactMap { item in
            (item["error"] as? [String: Any])?["code"] as? String
        }
    }

    /// A reply without what is different each time: times count from the issue, and tokens, generations and generated
    /// ids only have to be there.
    static func stable(_ json: Any) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return String(decoding: try JSONSerialization.data(withJSONObject: part(json), options: options), as: UTF8.self)
    }

    private static func part(_ json: Any) -> Any {
        if let list = json as? [Any] { return list.map(part) }
        guard let object = json as? [String: Any] else { return json }
        let base = object["issuedAt"] as? Int ?? object["tokenExpiresAt"] as? Int ?? 0
        var stable: [String: Any] = [:]
        for (name, value) in object {
            switch name {
            case "token", "generation", "salt": stable[name] = "(changes)"
            case "issuedAt", "expiresAt", "renewAfter", "tokenExpiresAt":
                stable[name] = (value as? Int ?? 0) - base
            case "privileges":
                stable[name] = (value as? [String: Int])?.mapValues { $0 < base ? $0 : $0 - base } ?? value
            case "leaseId": stable[name] = (value as? String)?.hasPrefix("l-") == true ? "(generated)" : value
            case "message": stable[name] = (value as? String)?.replacing(/[0-9]{6,}/, with: "(number)") ?? value
            default: stable[name] = part(value)
            }
        }
        return stable
    }
}
