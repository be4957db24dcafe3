// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The examples of the contract, as the examples of AsyncAPI's messages.
struct ContractExamples {
    /// The examples by the names of messages in the document.
    private(set) var byMessage: [(name: String, examples: [JSONValue])] = []

    init(_ text: [UInt8]) throws(JSONError) {
        let json = try JSONReader.read(text)
        for example in Self.list(json, "messages") { addMessage(example) }
        for example in Self.list(json, "deadLetters") {
            add(example, to: "deadLetter", headers: Self.headers(of: example), payload: example.member("body"))
        }
        for example in Self.list(json, "notices") {
            add(example, to: "notice", headers: nil, payload: example.member("body"))
        }
    }

    private static func list(_ json: JSONValue, _ name: String) -> [JSONValue] {
        if case .array(let examples) = json.member(name) { examples } else { [] }
    }

    /// Adds a message that was answered well, and its reply; of a message that was not, the reply only.
    private mutating func addMessage(_ example: JSONValue) {
        guard let reply = example.member("reply"), let type = reply.member("type")?.stringValue,
            let kind = example.member("kind")?.stringValue
        else { return }
        let code = reply.member("body")?.member("error")?.member("code")
        if code == nil, !Self.hasErrors(reply) {
            let isExplain = example.member("type")?.stringValue == RequestProperties.explainType
            add(
                example, to: isExplain ? "explain" : kind, headers: example.member("headers"),
                payload: example.member("body"))
        }
        var headers = [
            JSONMember(name: "status", value: .string(code == nil ? "ok" : "error")),
            JSONMember(name: "contractVersion", value: .integer(ReplyProperties.contractVersion)),
        ]
        if let code { headers.append(JSONMember(name: "errorCode", value: code)) }
        let name = type.split(separator: ".").last.map(String.init) ?? type
        add(example, to: name, headers: .object(headers), payload: reply.member("body"))
    }

    /// Whether an item of a batch was not answered well.
    private static func hasErrors(_ reply: JSONValue) -> Bool {
        guard case .array(let results) = reply.member("body")?.member("results") else { return false }
        return results.contains { $0.member("error") != nil }
    }

    private static func headers(of example: JSONValue) -> JSONValue {
        .object(
            ["errorCode", "errorMessage", "originalQueue"].compactMap { name in
                example.member(name).map { JSONMember(name: name, value: $0) }
            })
    }

    private mutating func add(_ example: JSONValue, to name: String, headers: JSONValue?, payload: JSONValue?) {
        var members: [JSONMember] = []
        for field in ["name", "summary"] {
            if let value = example.member(field) { members.append(JSONMember(name: field, value: value)) }
        }
        if let headers { members.append(JSONMember(name: "headers", value: headers)) }
        if let payload { members.append(JSONMember(name: "payload", value: payload)) }
        if let position = byMessage.firstIndex(where: { $0.name == name }) {
            byMessage[position].examples.append(.object(members))
        } else {
            byMessage.append((name, [.object(members)]))
        }
    }
}
