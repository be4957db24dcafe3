// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The members of one line, or of an object in it, read by name.
struct LineFields {
    private let members: [JSONMember]
    /// What stands before the name of a field in errors, such as `services[0].`.
    private let path: String

    /// Reads a whole line.
    init(_ line: [UInt8]) throws(LineError) {
        let value: JSONValue
        do {
            value = try JSONReader.read(line)
        } catch {
            throw LineError(.malformedJSON, "the line is not JSON: \(error)")
        }
        guard case .object(let members) = value else {
            throw LineError(.malformedJSON, "the line is \(Shown(value)); it must be a JSON object")
        }
        self.init(members, path: "")
    }

    init(_ members: [JSONMember], path: String) {
        self.members = members
        self.path = path
    }

    /// Refuses members with other names than these.
    func check(_ known: Set<String>) throws(LineError) {
        for member in members where !known.contains(member.name) {
            let shown = path + Shown.name(member.name)
            throw LineError(.unknownField, "\(shown) is not a field here", field: shown)
        }
    }

    subscript(name: String) -> JSONValue? {
        members.first { $0.name == name }?.value
    }

    /// The field as errors name it.
    func shown(_ name: String) -> String {
        path + name
    }

    func missing(_ name: String) -> LineError {
        LineError(.missingField, "\(shown(name)) is missing", field: shown(name))
    }

    func optionalText(_ name: String) throws(LineError) -> String? {
        guard let value = self[name] else { return nil }
        guard case .string(let text) = value else {
            throw LineError(invalid: shown(name), "\(shown(name)) is \(Shown(value)); it must be a string")
        }
        return text
    }

    func text(_ name: String) throws(LineError) -> String {
        guard let text = try optionalText(name) else { throw missing(name) }
        return text
    }

    func optionalInteger<Number: FixedWidthInteger>(
        _ name: String, as number: Number.Type
    ) throws(LineError) -> Number? {
        guard let value = self[name] else { return nil }
        return try Self.integer(value, field: shown(name))
    }

    func integer<Number: FixedWidthInteger>(_ name: String, as number: Number.Type) throws(LineError) -> Number {
        guard let integer = try optionalInteger(name, as: number) else { throw missing(name) }
        return integer
    }

    static func integer<Number: FixedWidthInteger>(_ value: JSONValue, field: String) throws(LineError) -> Number {
        guard case .integer(let whole) = value, let number = Number(exactly: whole) else {
            throw LineError(
                invalid: field,
                "\(field) is \(Shown(value)); it must be a whole number from \(Number.min) to \(Number.max)")
        }
        return number
    }

    /// The members of an object whose names are numbers of 16 bits.
    func numbered(_ name: String) throws(LineError) -> [(id: UInt16, field: String, value: JSONValue)] {
        guard let value = self[name] else { throw missing(name) }
        return try Self.numbered(value, field: shown(name))
    }

    static func numbered(
        _ value: JSONValue, field: String
    ) throws(LineError) -> [(id: UInt16, field: String, value: JSONValue)] {
        guard case .object(let members) = value else {
            throw LineError(invalid: field, "\(field) is \(Shown(value)); it must be an object")
        }
        var result: [(id: UInt16, field: String, value: JSONValue)] = []
        for member in members {
            let path = "\(field).\(Shown.name(member.name))"
            guard let id = UInt16(member.name) else {
                throw LineError(invalid: path, "\(path) has a name that is no whole number from 0 to 65535")
            }
            result.append((id, path, member.value))
        }
        return result
    }
}
