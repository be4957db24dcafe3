// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The contract as documents: a JSON Schema for each message, and AsyncAPI over all of them.
package enum ContractDocument {
    /// The schema of each kind of body, by its name.
    package static let schemas: [(name: String, text: [UInt8])] = [
        ("request", PackageResources.request_json), ("renew", PackageResources.renew_json),
        ("cancel", PackageResources.cancel_json), ("explain", PackageResources.explain_json),
        ("token", PackageResources.token_json), ("cancelled", PackageResources.cancelled_json),
        ("explained", PackageResources.explained_json), ("batch", PackageResources.batch_json),
        ("error", PackageResources.error_json), ("notice", PackageResources.notice_json),
    ]

    /// Messages with their replies, dead letters and notices, as they were once sent.
    package static var examples: [UInt8] { PackageResources.examples_json }

    /// One object with every schema by its name.
    ///
    /// - Throws: ``JSONError`` if an embedded text is damaged.
    package static func allSchemas() throws(JSONError) -> [UInt8] {
        var members: [JSONMember] = []
        for schema in schemas { members.append(JSONMember(name: schema.name, value: try JSONReader.read(schema.text))) }
        return JSONLayout.text(.object(members))
    }

    /// The AsyncAPI document, which refers to nothing outside of itself.
    ///
    /// - Throws: ``JSONError`` if an embedded text is damaged.
    package static func asyncAPI() throws(JSONError) -> [UInt8] {
        var document = try JSONReader.read(PackageResources.asyncapi_json)
        let examples = try ContractExamples(examples)
        for (name, list) in examples.byMessage {
            document.set(.array(list), at: ["components", "messages", name, "examples"])
        }
        for schema in schemas {
            let value = embedded(try JSONReader.read(schema.text), as: schema.name)
            document.set(value, at: ["components", "schemas", schema.name])
        }
        return JSONLayout.text(document)
    }

    /// A schema as a part of the document, by whose root its references go.
    private static func embedded(_ schema: JSONValue, as name: String) -> JSONValue {
        guard case .object(let members) = schema else { return schema }
        let kept = members.filter { $0.name != "$id" && $0.name != "$schema" }
        return .object([
            JSONMember(name: "schemaFormat", value: .string("application/schema+json;version=draft-2020-12")),
            JSONMember(
                name: "schema",
                value: redirected(.object(kept), "#/$defs/", to: "#/components/schemas/\(name)/schema/$defs/")),
        ])
    }

    private static func redirected(_ value: JSONValue, _ prefix: String, to other: String) -> JSONValue {
        switch value {
        case .object(let members):
            return .object(
                members.map { member in
                    if member.name == "$ref", let text = member.value.stringValue, text.hasPrefix(prefix) {
                        return JSONMember(name: member.name, value: .string(other + text.dropFirst(prefix.count)))
                    }
                    return JSONMember(name: member.name, value: redirected(member.value, prefix, to: other))
                })
        case .array(let values): return .array(values.map { redirected($0, prefix, to: other) })
        default: return value
        }
    }
}

extension JSONValue {
    /// Sets a member of nested objects, which are made where they are missing.
    fileprivate mutating func set(_ value: JSONValue, at path: [String]) {
        guard let name = path.first else {
            self = value
            return
        }
        var members: [JSONMember] = []
        if case .object(let own) = self { members = own }
        var inner = member(name) ?? .object([])
        inner.set(value, at: Array(path.dropFirst()))
        let changed = JSONMember(name: name, value: inner)
        if let position = members.firstIndex(where: { $0.name == name }) {
            members[position] = changed
        } else {
            members.append(changed)
        }
        self = .object(members)
    }
}
