// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Texts of strangers as an operator may see them.
package enum Redacted {
    /// The shortest run of letters and digits that may be a token, a part of one, or a certificate.
    private static var shortestSecret: Int { 24 }

    /// A text without tokens and certificates.
    ///
    /// What is left out is any long run of the characters of base64 with a digit among them; the escapes of JSON and of
    /// URLs count as part of it, so that no piece of a token is left between them.
    package static func text(_ text: String) -> String {
        redacted(text) { $0.count >= shortestSecret && $0.contains(where: isDigit) }
    }

    private static func redacted(_ text: String, _ isSecret: ([UInt8]) -> Bool) -> String {
        var shown: [UInt8] = []
        var run: [UInt8] = []
        func end() {
            shown += isSecret(run) ? Array("(\(run.count) characters hidden)".utf8) : run
            run.removeAll(keepingCapacity: true)
        }
        for byte in text.utf8 {
            if belongsToSecrets(byte) {
                run.append(byte)
            } else {
                end()
                shown.append(byte)
            }
        }
        end()
        return String(decoding: shown, as: UTF8.self)
    }

    /// A text without tokens, which senders may have put where an id or a name belongs; all else stays.
    package static func tokens(_ text: String) -> String {
        guard text.utf8.count >= shortestToken, ["006", "007"].contains(where: text.contains) else { return text }
        // What is of hexadecimal digits only is a hash.
        return redacted(text) { $0.count >= shortestToken && !$0.allSatisfy(isHexDigit) }
    }

    /// Less than the shortest token has: one of version 007 for a service without a user.
    private static var shortestToken: Int { 60 }

    /// The same on one line, with escapes for whatever a terminal would obey.
    package static func line(_ text: String) -> String { printable(self.text(text)) }

    /// A text without secrets on one line, with escapes for whatever a terminal would obey.
    package static func printable(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                line += scalar.escaped(asASCII: true)
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private static func belongsToSecrets(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="),
            UInt8(ascii: "\\"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
