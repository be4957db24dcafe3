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
        var shown: [UInt8] = []
        var run: [UInt8] = []
        for byte in text.utf8 {
            if belongsToSecrets(byte) {
                run.append(byte)
            } else {
                end(&run, in: &shown)
                shown.append(byte)
            }
        }
        end(&run, in: &shown)
        return String(decoding: shown, as: UTF8.self)
    }

    /// The same on one line, with escapes for whatever a terminal would obey.
    package static func line(_ text: String) -> String {
        var line = ""
        for scalar in self.text(text).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                line += scalar.escaped(asASCII: true)
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    private static func end(_ run: inout [UInt8], in shown: inout [UInt8]) {
        defer { run.removeAll(keepingCapacity: true) }
        let isSecret = run.count >= shortestSecret && run.contains { (0x30...0x39).contains($0) }
        shown += isSecret ? Array("(\(run.count) characters hidden)".utf8) : run
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
