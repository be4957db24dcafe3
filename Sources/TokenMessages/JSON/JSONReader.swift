// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Reads a JSON text (RFC 8259) strictly.
///
/// Refused beyond the grammar: text that is not UTF-8, a byte order mark, half a surrogate pair in `\u` escapes,
/// two members of one name in an object, and nesting deeper than ``maximumDepth``.
package struct JSONReader {
    /// The number of arrays and objects that may be open at a time.
    package static let maximumDepth = 64

    let bytes: [UInt8]
    var index = 0

    /// Reads one whole text.
    ///
    /// - Parameter bytes: the text in UTF-8.
    /// - Returns: the tree.
    /// - Throws: ``JSONError`` with the place of the first fault.
    package static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var reader = JSONReader(bytes: bytes)
        reader.skipSpace()
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.error("more text after the end of the value") }
        return value
    }

    func error(_ reason: String) -> JSONError { JSONError(reason: reason, offset: index) }

    /// The byte at the reading position, or 0 at the end; no valid text holds a 0.
    var current: UInt8 { index < bytes.count ? bytes[index] : 0 }

    mutating func skipSpace() {
        while index < bytes.count, bytes[index] <= 0x20 {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        switch current {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try members(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try elements(depth: depth + 1))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw index == bytes.count ? error("the text ends where a value should be") : error(unexpected())
        }
    }

    private func unexpected() -> String {
        switch current {
        case 0xEF where index == 0: "a byte order mark before the text"
        case UInt8(ascii: "'"): "single quotes around a string, which needs double quotes"
        case 0x21...0x7E: "\(Character(Unicode.Scalar(current))) where a value should be"
        default: "a byte that begins no value"
        }
    }

    private mutating func literal(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let start = index
        for byte in word.utf8 {
            guard current == byte, index < bytes.count else {
                index = start
                throw error("a word that is none of true, false and null")
            }
            index += 1
        }
        return value
    }

    private mutating func elements(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth <= Self.maximumDepth else { throw error("nesting deeper than \(Self.maximumDepth) levels") }
        index += 1
        skipSpace()
        var elements: [JSONValue] = []
        if current == UInt8(ascii: "]") {
            index += 1
            return elements
        }
        while true {
            skipSpace()
            elements.append(try value(depth: depth))
            skipSpace()
            switch current {
            case UInt8(ascii: ","): index += 1
            case UInt8(ascii: "]"):
                index += 1
                return elements
            default: throw error("no comma or ] after an element of an array")
            }
        }
    }

    private mutating func members(depth: Int) throws(JSONError) -> [JSONMember] {
        guard depth <= Self.maximumDepth else { throw error("nesting deeper than \(Self.maximumDepth) levels") }
        index += 1
        skipSpace()
        var members: [JSONMember] = []
        if current == UInt8(ascii: "}") {
            index += 1
            return members
        }
        members.reserveCapacity(8)
        var names = JSONNames()
        while true {
            skipSpace()
            let start = index
            guard current == UInt8(ascii: "\"") else { throw error("no quoted name where a member should begin") }
            let name = try string()
            guard names.insert(name, beside: members) else {
                index = start
                throw error("a second member of the same name")
            }
            skipSpace()
            guard current == UInt8(ascii: ":") else { throw error("no colon after the name of a member") }
            index += 1
            skipSpace()
            members.append(JSONMember(name: name, value: try value(depth: depth)))
            skipSpace()
            switch current {
            case UInt8(ascii: ","): index += 1
            case UInt8(ascii: "}"):
                index += 1
                return members
            default: throw error("no comma or } after a member of an object")
            }
        }
    }
}
