// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The members of a message's body, read by name with the error that each fault deserves.
struct MessageFields {
    private let members: [JSONMember]
    /// The fields that the members are, in the order of the text.
    private(set) var names: [FieldName] = []
    /// What stands before the name of a field in errors, such as `notify.`.
    private let path: String

    /// Reads a body, which has to be an object.
    ///
    /// - Parameter body: JSON in UTF-8.
    /// - Returns: the members of the object.
    /// - Throws: `malformed_json`.
    static func object(_ body: [UInt8]) throws(MessageError) -> [JSONMember] {
        guard !body.isEmpty else {
            throw MessageError(.malformedJSON, "the body is empty; it must be a JSON object")
        }
        let value: JSONValue
        do {
            value = try JSONReader.read(body)
        } catch {
            throw MessageError(.malformedJSON, "the body is not JSON: \(error)")
        }
        guard case .object(let members) = value else {
            throw MessageError(.malformedJSON, "the body is \(Shown(value)); it must be a JSON object")
        }
        return members
    }

    /// Takes the members of an object.
    ///
    /// - Parameters:
    ///   - members: the members.
    ///   - path: the field that holds the object, and a point; nothing for a message itself.
    ///   - known: the fields that the object may have.
    ///   - hint: what to say about another one, nil for no more than that it is none.
    /// - Throws: `unknown_field`.
    init(
        _ members: [JSONMember], in path: String = "", known: FieldNames, hint: (String) -> String? = { _ in nil }
    ) throws(MessageError) {
        self.path = path
        self.members = members
        names.reserveCapacity(members.count)
        for position in members.indices {
            guard let name = known[members[position].name] else {
                let text = members[position].name
                let shown = path + Shown.name(text)
                throw MessageError(
                    .unknownField, hint(text) ?? "\(shown) is not a field of this message", field: shown)
            }
            names.append(name)
        }
    }

    subscript(name: FieldName) -> JSONValue? {
        for position in names.indices where names[position] == name { return members[position].value }
        return nil
    }

    func has(_ name: FieldName) -> Bool { names.contains(name) }

    /// The field as errors name it.
    func shown(_ name: FieldName) -> String { path + name.rawValue }
}

extension MessageFields {
    /// A whole number within a range.
    func integer(
        _ name: FieldName, in range: ClosedRange<Int64>, or code: ErrorCode, hint: (Int64) -> String? = { _ in nil }
    ) throws(MessageError) -> Int64? {
        guard let value = self[name] else { return nil }
        return try Self.integer(value, field: shown(name), in: range, or: code, hint: hint)
    }

    /// A whole number within a range, from any place of a message.
    ///
    /// - Parameters:
    ///   - value: what the message has.
    ///   - field: the path of the field in errors.
    ///   - range: the numbers that are right.
    ///   - code: the code for all others.
    ///   - hint: what a wrong number looks like, as the end of a sentence that begins with the field and the value.
    /// - Returns: the number.
    /// - Throws: an error with `code`.
    static func integer(
        _ value: JSONValue, field: String, in range: ClosedRange<Int64>, or code: ErrorCode,
        hint: (Int64) -> String? = { _ in nil }
    ) throws(MessageError) -> Int64 {
        var wanted: String { "it must be a whole number from \(range.lowerBound) to \(range.upperBound)" }
        switch value {
        case .integer(let number) where range.contains(number): return number
        case .integer(let number):
            throw MessageError(code, "\(field) is \(number)\(hint(number) ?? ""); \(wanted)", field: field)
        case .string(let text) where Self.isNumber(text):
            throw MessageError(
                code, "\(field) is \(Shown.quoted(text)) in quotes; write the number without quotes", field: field)
        default: throw MessageError(code, "\(field) is \(Shown(value)); \(wanted)", field: field)
        }
    }

    /// A string that is not empty.
    func text(_ name: FieldName, or code: ErrorCode) throws(MessageError) -> String? {
        guard let value = self[name] else { return nil }
        guard case .string(let text) = value else {
            throw MessageError(
                code, "\(shown(name)) is \(Shown(value)); it must be a string in quotes", field: shown(name))
        }
        guard !text.isEmpty else { throw MessageError(code, "\(shown(name)) is empty", field: shown(name)) }
        return text
    }

    private static func isNumber(_ text: String) -> Bool {
        guard !text.isEmpty, let value = try? JSONReader.read(Array(text.utf8)) else { return false }
        switch value {
        case .integer, .number: return true
        default: return false
        }
    }
}
