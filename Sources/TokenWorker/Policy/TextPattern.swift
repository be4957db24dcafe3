// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A text in which `*` stands for any characters, also for none.
///
/// Texts are compared byte by byte in UTF-8: two spellings of one letter are different names to the broker and to Agora,
/// and so they are here. Matching takes at most the product of both lengths, whatever the pattern is.
struct TextPattern: Sendable, Hashable, CustomStringConvertible {
    /// The longest pattern in bytes.
    static let longest = 256

    /// The pattern as written.
    let text: String
    /// What stands before, between and after the stars; one part where there is no star.
    private let parts: [[UInt8]]

    /// Takes a pattern, every text being one.
    init(_ text: String) {
        self.text = text
        parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map { Array($0) }
    }

    var description: String { text }

    /// Whether it stands for one text only.
    var isExact: Bool { parts.count == 1 }

    /// What a text has to begin with, where nothing else is asked of it: `orders-` of `orders-*`; nil for other patterns.
    var onlyPrefix: [UInt8]? { parts.count == 2 && parts[1].isEmpty ? parts[0] : nil }

    /// Whether it stands for `text`, among others.
    func matches(_ text: String) -> Bool { matches(text.utf8.span) }

    /// As ``matches(_:)-(String)``, of bytes that may be no UTF-8.
    func matches(_ bytes: Span<UInt8>) -> Bool {
        let last = parts.count - 1
        guard last > 0 else { return bytes.count == parts[0].count && Self.has(parts[0], bytes, at: 0) }
        var start = parts[0].count
        let end = bytes.count - parts[last].count
        guard start <= end, Self.has(parts[0], bytes, at: 0), Self.has(parts[last], bytes, at: end) else {
            return false
        }
        // The first place that fits leaves the most room for what follows, so no other one has to be tried.
        for part in parts[1..<last] where !part.isEmpty {
            while start + part.count <= end, !Self.has(part, bytes, at: start) { start += 1 }
            guard start + part.count <= end else { return false }
            start += part.count
        }
        return true
    }

    /// Whether `part` stands at `start`, from where on `bytes` is long enough.
    private static func has(_ part: [UInt8], _ bytes: Span<UInt8>, at start: Int) -> Bool {
        for offset in part.indices where bytes[start + offset] != part[offset] { return false }
        return true
    }
}

extension [TextPattern] {
    /// Whether any of them stands for `text`.
    func match(_ text: String) -> Bool { contains { $0.matches(text) } }

    /// The patterns for people.
    var list: String { isEmpty ? "none" : map(\.text).joined(separator: ", ") }
}
