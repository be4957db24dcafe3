// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages
import TokenWorker

/// Shows dead letters, without the tokens and control characters that strangers may have put into them.
struct DeadLetterPrinter {
    let console: Console
    let json: Bool

    /// Prints one line for each.
    func list(_ letters: [DeadLetter]) {
        guard !json else { return letters.forEach { printJSON($0, body: false) } }
        let rows = letters.map { letter in
            [
                letter.id, Self.moment(letter.failedAt), Redacted.line(letter.code),
                Redacted.line(letter.originalQueue ?? "-"), letter.attempts.map(String.init) ?? "-",
                Redacted.line(letter.caller.text), Redacted.line(letter.message ?? ""),
            ]
        }
        let titles = ["ID", "SINCE", "CODE", "QUEUE", "ATTEMPTS", "CALLER", "REASON"]
        for line in TextTable(titles: titles, rows: rows).lines { console.print(line) }
    }

    /// Prints one in full.
    func show(_ letter: DeadLetter) {
        guard !json else { return printJSON(letter, body: true) }
        let lines: [(String, String?)] = [
            ("id", letter.id), ("code", letter.code), ("reason", letter.message), ("queue", letter.originalQueue),
            ("first", Self.moment(letter.firstFailedAt)), ("since", Self.moment(letter.failedAt)),
            ("attempts", letter.attempts.map(String.init)), ("caller", letter.caller.text), ("type", letter.type),
            ("message id", Self.text(letter.messageID)), ("correlation", Self.text(letter.correlationID)),
            ("reply to", letter.replyTo), ("body", Self.text(letter.body)),
        ]
        for (name, value) in lines {
            guard let value else { continue }
            console.print(name + String(repeating: " ", count: 12 - name.count) + Redacted.line(value))
        }
    }

    private func printJSON(_ letter: DeadLetter, body: Bool) {
        var writer = JSONWriter()
        writer.beginObject()
        let texts: [(String, String?)] = [
            ("id", letter.id), ("errorCode", letter.code), ("errorMessage", letter.message),
            ("originalQueue", letter.originalQueue), ("caller", letter.caller.text), ("type", letter.type),
            ("messageId", Self.text(letter.messageID)), ("correlationId", Self.text(letter.correlationID)),
            ("replyTo", letter.replyTo), ("body", body ? Self.text(letter.body) : nil),
        ]
        for (name, text) in texts {
            if let text { writer.member(name, Redacted.text(text)) }
        }
        let numbers = [
            ("firstFailedAt", letter.firstFailedAt), ("failedAt", letter.failedAt), ("attempts", letter.attempts),
            ("bytes", Int64(letter.body.count)),
        ]
        for (name, number) in numbers {
            if let number { writer.member(name, number) }
        }
        writer.endObject()
        console.print(String(decoding: writer.bytes, as: UTF8.self))
    }

    private static func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    private static func moment(_ seconds: Int64?) -> String { seconds.map { RFC3339.text(seconds: $0) } ?? "-" }
}
