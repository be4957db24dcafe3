// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// What has to hold for an error, whatever the message was: it is short, on one line, and tells no secret.
struct ErrorCheck {
    /// The longest run of base64 that an error may repeat, in bytes; a token or a certificate is longer.
    static let longestRun = 23
    /// The most bytes of the input that an error may repeat in one piece: 40 characters.
    static let longestEcho = 160

    private let error: MessageError
    private let input: [UInt8]

    init(_ error: MessageError, input: [UInt8]) {
        self.error = error
        self.input = input
    }

    func run() {
        let field = error.field ?? ""
        precondition(!error.message.isEmpty && error.message.utf8.count <= 700, "no sentence, or too long a one")
        precondition(field.utf8.count <= 300, "the field is too long")
        for scalar in error.message.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: preconditionFailure("more than one line")
            default: break
            }
        }
        for text in [error.message, field] {
            let bytes = Array(text.utf8)
            checkRuns(bytes)
            checkEcho(bytes)
        }
        precondition((try? MessageError(error.encode())) == error, "the error changed")
    }

    /// No long run of base64 with a digit comes back.
    private func checkRuns(_ text: [UInt8]) {
        for run in text.split(whereSeparator: { !Self.isBase64($0) }) where run.count > Self.longestRun {
            guard run.contains(where: { (0x30...0x39).contains($0) }) else { continue }
            precondition(!contains(Array(run)), "the error repeats what may be a token")
        }
    }

    private func checkEcho(_ text: [UInt8]) {
        let length = Self.longestEcho + 1
        guard text.count >= length, input.count >= length else { return }
        for start in 0...(text.count - length) {
            precondition(!contains(Array(text[start..<start + length])), "the error repeats much of the message")
        }
    }

    private func contains(_ part: [UInt8]) -> Bool {
        guard let first = part.first, part.count <= input.count else { return false }
        return (0...(input.count - part.count)).contains { start in
            input[start] == first && input[start..<start + part.count].elementsEqual(part)
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
