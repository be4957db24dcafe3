// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

/// Looks through a JSON5 text for a name that an object has twice.
///
/// A decoder takes one of the two and says nothing, so that a line which was added to a policy may never count.
struct RepeatedName {
    /// An object or a list that has begun and not ended.
    private struct Level {
        let isObject: Bool
        /// An object's names so far.
        var names: Set<String> = []
        /// The name whose value comes; nil where a name comes.
        var current: String?
        /// How many items of a list have ended.
        var index = 0
    }

    private var rest: ArraySlice<UInt8>
    private var levels: [Level] = []

    /// Where the first such name is.
    ///
    /// - Parameter text: a text that a decoder has taken, in UTF-8.
    /// - Returns: the place, as complaints name settings; nil where there is none.
    static func first(in text: [UInt8]) -> String? {
        var search = RepeatedName(rest: text[...])
        return search.run()
    }

    private init(rest: ArraySlice<UInt8>) { self.rest = rest }

    private mutating func run() -> String? {
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "{"): levels.append(Level(isObject: true))
            case UInt8(ascii: "["): levels.append(Level(isObject: false))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = levels.popLast()
            case UInt8(ascii: ","): next()
            case UInt8(ascii: "/"):
                skipComment()
                continue
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                rest.removeFirst()
                if !take(word { $0 == byte }) { return path }
            case _ where !Self.isBetweenWords(byte):
                if !take(word(until: Self.isBetweenWords)) { return path }
                continue
            default: break
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    private mutating func next() {
        guard let last = levels.indices.last else { return }
        levels[last].current = nil
        levels[last].index += 1
    }

    /// Takes a word as a name, where one comes; false for one that was there.
    private mutating func take(_ word: String) -> Bool {
        guard let last = levels.indices.last, levels[last].isObject, levels[last].current == nil else { return true }
        levels[last].current = word
        return levels[last].names.insert(word).inserted
    }

    /// The text up to an end, which stays, with the escapes resolved that can hide a letter.
    private mutating func word(until isEnd: (UInt8) -> Bool) -> String {
        var word: [UInt8] = []
        while let byte = rest.first, !isEnd(byte) {
            rest.removeFirst()
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                word.append(byte)
                continue
            }
            let length = [UInt8(ascii: "u"): 4, UInt8(ascii: "x"): 2][escaped]
            let digits = String(decoding: rest.prefix(length ?? 0), as: UTF8.self)
            if length != nil, let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
                word += Array(String(scalar).utf8)
                rest = rest.dropFirst(digits.utf8.count)
            } else {
                word.append(escaped)
            }
        }
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func skipComment() {
        let isBlock = rest.dropFirst().first == UInt8(ascii: "*")
        rest = rest.dropFirst(2)
        while let byte = rest.popFirst() {
            if isBlock ? byte == UInt8(ascii: "*") && rest.first == UInt8(ascii: "/") : byte == 0x0A || byte == 0x0D {
                break
            }
        }
        if isBlock { rest = rest.dropFirst() }
    }

    private static func isBetweenWords(_ byte: UInt8) -> Bool { byte <= 0x20 || "{}[],:/\"'".utf8.contains(byte) }

    private var path: String {
        levels.reduce(into: "") { path, level in
            path += level.isObject ? (path.isEmpty ? "" : ".") + Shown.name(level.current ?? "") : "[\(level.index)]"
        }
    }
}
