// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import TokenWorker

@Suite struct TextPatternTests {
    @Test(arguments: [
        ("", "", true), ("", "a", false), ("*", "", true), ("*", "a*b", true), ("**", "", true),
        ("orders", "orders", true), ("orders", "Orders", false), ("orders", "orders-1", false),
        ("orders-*", "orders-", true), ("orders-*", "orders-1", true), ("orders-*", "orders", false),
        ("orders-*", "my-orders-1", false), ("*-orders", "my-orders", true), ("*-orders", "my-orders-1", false),
        ("a*a", "a", false), ("a*a", "aa", true), ("a*a", "aba", true), ("ab*ba", "aba", false),
        ("a*b*c", "abc", true), ("a*b*c", "a-b-b-c", true), ("a*b*c", "acb", false), ("*a*", "bab", true),
        ("*ab*ab*", "xabyab", true), ("*ab*ab*", "xabx", false), ("*aab", "aaab", true), ("a?c", "abc", false),
        ("a?c", "a?c", true), (".*", "x", false), ("[ab]", "a", false), ("*\\", "\\", true),
    ])
    func matches(pattern: String, text: String, fits: Bool) {
        #expect(TextPattern(pattern).matches(text) == fits, "\(pattern) and \(text)")
    }

    /// One letter in two spellings is two names to a broker, though Swift's `==` takes them for one.
    @Test func spellingsOfOneLetterAreDifferent() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed)
        #expect(TextPattern(composed).matches(composed))
        #expect(!TextPattern(composed).matches(decomposed))
        #expect(!TextPattern("caf\u{E9}*").matches(decomposed) && TextPattern("cafe*").matches(decomposed))
        #expect(TextPattern("*\u{1F600}").matches("x\u{1F600}"))
        // A star may end in the middle of a character, as bytes go, but no pattern can be written that ends there.
        #expect(!TextPattern("*\u{E9}*").matches("\u{C3}"))
    }

    /// Every text over two letters against every pattern over these and the star, as Python's `fnmatch` has it: a star
    /// takes nothing, or one character and stays.
    @Test func agreesWithTheDefinition() {
        func fits(_ pattern: Substring, _ text: Substring) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            if first == "*" {
                return fits(pattern.dropFirst(), text) || (!text.isEmpty && fits(pattern, text.dropFirst()))
            }
            return text.first == first && fits(pattern.dropFirst(), text.dropFirst())
        }
        let texts = Self.words("ab", upTo: 5)
        for pattern in Self.words("ab*", upTo: 5) {
            let compiled = TextPattern(pattern)
            for text in texts where compiled.matches(text) != fits(pattern[...], text[...]) {
                Issue.record("\(pattern) and \(text)")
            }
        }
    }

    private static func words(_ letters: String, upTo length: Int) -> [String] {
        (0..<length).reduce(into: [[""]]) { words, _ in
            words.append(words[words.count - 1].flatMap { word in letters.map { word + String($0) } })
        }.flatMap(\.self)
    }

    /// What takes backtracking matchers longer than the universe has lasted.
    @Test(.timeLimit(.minutes(1))) func hostilePatternsTakeNoTime() {
        let pattern = TextPattern(String(repeating: "a*", count: 127) + "b")
        let text = String(repeating: "a", count: 255)
        for _ in 0..<1000 { #expect(!pattern.matches(text)) }
        #expect(TextPattern(String(repeating: "*", count: 256)).matches(text))
        #expect(pattern.matches(text + "b"))
    }
}
