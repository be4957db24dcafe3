// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A JSON text as a tree, with the members of an object in the order in which they were written.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number with a whole value that fits into 64 bits, however it was written: `1000`, `1000.0` and `1e3` are equal.
    case integer(Int64)
    /// Any other number.
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
}

/// One name and value of a JSON object.
package struct JSONMember: Sendable, Hashable {
    package let name: String
    package let value: JSONValue

    package init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// A number that is no 64-bit integer: a fraction, or too large.
package struct JSONNumber: Sendable, Hashable {
    /// The number as it was written.
    package let text: String
    /// Whether the value is whole (and then too large for 64 bits).
    package let isWhole: Bool
}

extension JSONValue {
    /// The value of the first member with this name, if this is an object that has one.
    package func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        for position in members.indices where members[position].name == name { return members[position].value }
        return nil
    }

    /// The text, if this is a string.
    package var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number, if this is a whole one of 64 bits.
    package var integerValue: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }
}
