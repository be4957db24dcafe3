// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Thirty-two hexadecimal characters, kept as they were written.
///
/// Agora packs and signs the characters, not the 16 bytes that they stand for, so `ab…` and `AB…` are two
/// different identities. Each word holds eight characters, the first in its lowest byte.
struct HexText: Sendable, Hashable {
    /// How many characters there are.
    static let count = 32

    let words: SIMD4<UInt64>

    /// Reads `text`, or gives nothing when it is not exactly 32 hexadecimal digits.
    init?(_ text: String) {
        let bytes = text.utf8.span
        guard bytes.count == Self.count else { return nil }
        var isHexadecimal = true
        func word(at start: Int) -> UInt64 {
            var word: UInt64 = 0
            for index in start..<start + 8 {
                let byte = bytes[index]
                if Hex.value(of: byte) == nil { isHexadecimal = false }
                word = word &>> 8 | UInt64(byte) &<< 56
            }
            return word
        }
        words = SIMD4(word(at: 0), word(at: 8), word(at: 16), word(at: 24))
        guard isHexadecimal else { return nil }
    }

    /// The character at `index`, 0 to 31, as ASCII.
    func byte(at index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: words[index &>> 3] &>> UInt64((index & 7) &* 8))
    }

    /// The characters as ASCII.
    var bytes: [UInt8] {
        (0..<Self.count).map { byte(at: $0) }
    }

    /// The characters as text.
    var text: String {
        String(decoding: bytes, as: UTF8.self)
    }
}
