// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// Log lines that are written together.
///
/// A line is one outcome: what happened, then its fields. No field ever holds a token or a certificate.
package struct LogBatch: Sendable {
    /// How much somebody should care.
    package enum Level: String, Sendable {
        case info
        case warning
        case error
    }

    /// The lines so far.
    private(set) var bytes: [UInt8] = []
    private let format: LogFormat
    /// The time of every line of the batch, written once.
    private let time: String

    /// Starts a batch at `milliseconds` since 1970.
    init(format: LogFormat, milliseconds: Int64) {
        self.format = format
        let text = RFC3339.text(milliseconds: milliseconds)
        // People at a terminal know what day it is.
        time = format == .json ? text : String(text.dropFirst("2026-01-31T".count).dropLast())
    }

    /// Adds one line.
    mutating func add(_ level: Level, _ event: String, _ fields: (inout Fields) -> Void = { _ in }) {
        switch format {
        case .off: return
        case .json:
            var text: [UInt8] = []
            swap(&text, &bytes)
            var writer = JSONWriter(after: consume text)
            writer.beginObject()
            writer.member("time", time)
            writer.member("level", level.rawValue)
            writer.member("event", event)
            // Each is consumed, as a copy of all lines so far would come with every further one.
            var list = Fields.json(consume writer)
            fields(&list)
            guard case .json(var finished) = consume list else { return }
            finished.endObject()
            bytes = finished.bytes
        case .text:
            bytes += "\(time) \(level == .info ? "" : "\(level.rawValue): ")\(event)".utf8
            var list = Fields.text([])
            fields(&list)
            if case .text(let text) = list { bytes += text }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The fields of one line.
    package enum Fields {
        case json(JSONWriter)
        case text([UInt8])

        /// Adds a text; `nil` adds nothing.
        package mutating func add(_ name: String, _ value: String?) {
            guard let value = value.map(Redacted.tokens) else { return }
            switch self {
            case .json(var writer):
                self = .text([])
                writer.member(name, value)
                self = .json(writer)
            case .text(var text):
                self = .text([])
                text += " \(name)=\(Self.plain(value))".utf8
                self = .text(text)
            }
        }

        /// Adds a number; `nil` adds nothing.
        package mutating func add(_ name: String, _ value: (some FixedWidthInteger)?) {
            guard let value else { return }
            switch self {
            case .json(var writer):
                self = .text([])
                writer.member(name, value)
                self = .json(writer)
            case .text(var text):
                self = .text([])
                text += " \(name)=\(value)".utf8
                self = .text(text)
            }
        }

        /// A text without anything that a terminal would obey, in quotes where it could be read as something else.
        ///
        /// Within quotes, quotes and backslashes are escaped, so that no value can look like the next field.
        private static func plain(_ text: String) -> String {
            var shown = ""
            var needsQuotes = text.isEmpty
            for scalar in text.unicodeScalars {
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                    shown += scalar.escaped(asASCII: true)
                    needsQuotes = true
                case .spaceSeparator:
                    shown.unicodeScalars.append(scalar)
                    needsQuotes = true
                default:
                    let isEscaped = scalar == "\"" || scalar == "\\"
                    if isEscaped { shown += "\\" }
                    if isEscaped || scalar == "=" { needsQuotes = true }
                    shown.unicodeScalars.append(scalar)
                }
            }
            return needsQuotes ? "\"\(shown)\"" : shown
        }
    }
}
