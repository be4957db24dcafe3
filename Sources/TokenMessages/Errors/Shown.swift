// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A value of a message as an error may repeat it: short, on one line, and no secret.
///
/// A token or certificate in the wrong field must not come back in a reply or a log line, so whatever looks like one
/// is left out.
package struct Shown: CustomStringConvertible {
    /// The longest text that is repeated, in characters.
    static let longest = 40

    package let description: String

    init(_ value: JSONValue) {
        description =
            switch value {
            case .null: "null"
            case .bool(let value): value ? "true" : "false"
            case .integer(let value): String(value)
            case .number(let number): Self.plain(number)
            case .string(let text): Self.quoted(text)
            case .array: "an array"
            case .object: "an object"
            }
    }

    /// A text in quotes, with escapes for whatever would not print.
    package static func quoted(_ text: String) -> String {
        if looksSecret(text) { return "a text that looks like a token or key" }
        return "\"\(plain(text))\""
    }

    /// The name of a field: without quotes, else as in ``quoted(_:)``.
    package static func name(_ text: String) -> String {
        looksSecret(text) ? "(hidden)" : plain(text)
    }

    private static func plain(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(longest) {
            let escapes =
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
                default: scalar == "\"" || scalar == "\\"
                }
            shown += escapes ? scalar.escaped(asASCII: true) : String(Character(scalar))
        }
        return text.unicodeScalars.dropFirst(longest).isEmpty ? shown : shown + "…"
    }

    /// A number of so many digits is no number that anybody meant, and might be a key without its quotes.
    private static func plain(_ number: JSONNumber) -> String {
        number.text.utf8.count < shortestSecret ? number.text : "a number of \(number.text.utf8.count) characters"
    }

    /// Whether the beginning of a text, of which some would be shown, may be part of a token or certificate: a long run
    /// of the letters and digits of base64, with at least one digit, which names in plain words do not have.
    private static func looksSecret(_ text: String) -> Bool {
        var run = 0
        var hasDigit = false
        for byte in text.utf8.prefix(examined) {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                run += 1
                hasDigit = true
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"),
                UInt8(ascii: "/"):
                run += 1
            default:
                run = 0
                hasDigit = false
            }
            if run >= shortestSecret, hasDigit { return true }
        }
        return false
    }

    private static let shortestSecret = 24
    private static let examined = 256
}
