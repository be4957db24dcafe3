// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Prometheus' text format.
enum MetricsText {
    /// The media type of what ``encode(_:)`` gives.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The page that a scrape gets; families without samples are left out.
    static func encode(_ families: [MetricFamily]) -> [UInt8] {
        var text = ""
        text.reserveCapacity(32_768)
        for family in families where !family.samples.isEmpty {
            text += "# HELP \(family.name) \(escaped(family.help, quotes: false))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples {
                text += family.name
                text += sample.suffix
                append(sample.labels, to: &text)
                text += " \(number(sample.value))\n"
            }
        }
        return Array(text.utf8)
    }

    private static func append(_ labels: [MetricLabel], to text: inout String) {
        guard !labels.isEmpty else { return }
        var separator = "{"
        for label in labels {
            text += "\(separator)\(label.name)=\"\(escaped(label.value, quotes: true))\""
            separator = ","
        }
        text += "}"
    }

    /// A number as the format has it: `+Inf` for infinity, whole ones without a point.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        if let whole = Int64(exactly: value), abs(value) < 1e15 { return String(whole) }
        return "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x0A || (quotes && $0 == 0x22) }) else { return text }
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
