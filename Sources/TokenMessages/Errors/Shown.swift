// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A value of a message as an error may repeat it: short, on one line, and no secret.
///
/// A token or certificate in the wrong field must not come back in a reply or a log line, so whatever looks like one
/// is left out.
struct Shown: CustomStringConvertible {
    /// The longest text that is repeated, in characters.
    static let longest = 40

    let description: String

    init(_ value: JSONValue) {
        description =
            switch value {
            case .null: "null"
            case .bool(let value): value ? "true" : "false"
            case .integer(let value): String(value)
            case .number(let number): Self.cut(number.text)
            case .string(let text): Self.quoted(text)
            case .array: "an array"
            case .object: "an object"
            }
    }

    /// A text in quotes, with escapes for whatever would not print.
    static func quoted(_ text: String) -> String {
        if looksSecret(text) { return "a text that looks like a token or key" }
        return "\"\(plain(text))\""
    }

    /// The name of a field: without quotes, else as in ``quoted(_:)``.
    static func name(_ text: String) -> String {
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

    private static func cut(_ text: String) -> String {
        text.utf8.count <= longest ? text : text.prefix(longest) + "…"
    }

    /// Whether a text may be a token (`006…`, `007…`) or a certificate, whole or with a slip.
    private static func looksSecret(_ text: String) -> Bool {
        let bytes = text.utf8
        if bytes.count > 24, text.contains("006") || text.contains("007") { return true }
        var run = 0
        for byte in bytes {
            let isHex = byte < 0x80 && Character(Unicode.Scalar(byte)).isHexDigit
            run = isHex ? run + 1 : 0
            if run >= 24 { return true }
        }
        return false
    }
}
