// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The members of a message's body, read by name with the error that each fault deserves.
struct MessageFields {
    private let members: [JSONMember]
    /// What stands before the name of a field in errors, such as `notify.`.
    private let path: String

    /// Reads a body, which has to be an object.
    init(_ body: [UInt8]) throws(MessageError) {
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
        self.members = members
        path = ""
    }

    /// Takes the members of an object inside a body.
    init(_ members: [JSONMember], in field: String) {
        self.members = members
        path = field + "."
    }

    subscript(name: String) -> JSONValue? {
        for member in members where member.name == name { return member.value }
        return nil
    }

    func has(_ name: String) -> Bool { self[name] != nil }

    /// The members in the order of the text.
    var all: [JSONMember] { members }

    /// Refuses the first field that is none of those that are known.
    func allowOnly(_ known: Set<String>, hint: (String) -> String? = { _ in nil }) throws(MessageError) {
        for member in members where !known.contains(member.name) {
            let name = path + Shown.name(member.name)
            let reason = hint(member.name) ?? "\(name) is not a field of this message"
            throw MessageError(.unknownField, reason, field: name)
        }
    }
}

extension MessageFields {
    /// A whole number within a range.
    func integer(
        _ name: String, in range: ClosedRange<Int64>, or code: ErrorCode, hint: (Int64) -> String? = { _ in nil }
    ) throws(MessageError) -> Int64? {
        guard let value = self[name] else { return nil }
        return try Self.integer(value, field: path + name, in: range, or: code, hint: hint)
    }

    /// A whole number within a range, from any place of a message.
    ///
    /// - Parameters:
    ///   - value: what the message has.
    ///   - field: the path of the field in errors.
    ///   - range: the numbers that are right.
    ///   - code: the code for all others.
    ///   - hint: what a wrong number looks like, as the end of a sentence that begins with the field and the value.
    static func integer(
        _ value: JSONValue, field: String, in range: ClosedRange<Int64>, or code: ErrorCode,
        hint: (Int64) -> String? = { _ in nil }
    ) throws(MessageError) -> Int64 {
        let wanted = "it must be a whole number from \(range.lowerBound) to \(range.upperBound)"
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
    func text(_ name: String, or code: ErrorCode) throws(MessageError) -> String? {
        guard let value = self[name] else { return nil }
        let field = path + name
        guard case .string(let text) = value else {
            throw MessageError(code, "\(field) is \(Shown(value)); it must be a string in quotes", field: field)
        }
        guard !text.isEmpty else { throw MessageError(code, "\(field) is empty", field: field) }
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
