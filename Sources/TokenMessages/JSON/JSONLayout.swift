// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Writes a tree as a text for people: a line for each member, short lists and objects in one.
package enum JSONLayout {
    private static let width = 100

    /// The text, with a line feed at its end.
    package static func text(_ value: JSONValue) -> [UInt8] {
        var text: [UInt8] = []
        write(value, indent: 0, used: 0, to: &text)
        text.append(UInt8(ascii: "\n"))
        return text
    }

    private static func write(_ value: JSONValue, indent: Int, used: Int, to text: inout [UInt8]) {
        let line = compact(value)
        if indent + used + line.count <= width {
            text += line
            return
        }
        switch value {
        case .object(let members) where !members.isEmpty:
            text += "{\n".utf8
            for (position, member) in members.enumerated() {
                let name = compact(.string(member.name)) + Array(": ".utf8)
                text += [UInt8](repeating: UInt8(ascii: " "), count: indent + 2) + name
                write(member.value, indent: indent + 2, used: name.count, to: &text)
                text += (position + 1 < members.count ? ",\n" : "\n").utf8
            }
            text += [UInt8](repeating: UInt8(ascii: " "), count: indent) + Array("}".utf8)
        case .array(let values) where !values.isEmpty:
            text += "[\n".utf8
            for (position, value) in values.enumerated() {
                text += [UInt8](repeating: UInt8(ascii: " "), count: indent + 2)
                write(value, indent: indent + 2, used: 0, to: &text)
                text += (position + 1 < values.count ? ",\n" : "\n").utf8
            }
            text += [UInt8](repeating: UInt8(ascii: " "), count: indent) + Array("]".utf8)
        default: text += line
        }
    }

    private static func compact(_ value: JSONValue) -> [UInt8] {
        switch value {
        case .null: return Array("null".utf8)
        case .bool(let value): return Array((value ? "true" : "false").utf8)
        case .integer(let value): return Array(String(value).utf8)
        case .number(let number): return Array(number.text.utf8)
        case .string(let text):
            var json = JSONWriter()
            json.string(text)
            return json.bytes
        case .array(let values):
            return Array("[".utf8) + Array(values.map(compact).joined(separator: Array(", ".utf8))) + Array("]".utf8)
        case .object(let members):
            let parts = members.map { compact(.string($0.name)) + Array(": ".utf8) + compact($0.value) }
            return Array("{".utf8) + Array(parts.joined(separator: Array(", ".utf8))) + Array("}".utf8)
        }
    }
}
