// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Base64 of RFC 4648 section 4: the standard alphabet, padded, without line breaks.
package enum Base64 {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text for `bytes`.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = min(3, bytes.count - index)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group &<< 8 | (offset < left ? UInt32(bytes[index + offset]) : 0)
            }
            for digit in 0..<4 {
                text.append(digit <= left ? alphabet[Int(group &>> UInt32(18 - 6 * digit) & 63)] : UInt8(ascii: "="))
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that padded base64 `text` stands for, or nothing when it is not well formed.
    ///
    /// The bits that padding leaves over are not looked at, as in the decoders of other languages.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var digits = 0
        var padding = 0
        for character in text {
            if character == UInt8(ascii: "=") {
                padding += 1
                group = group &<< 6
            } else {
                guard padding == 0, let value = value(of: character) else { return nil }
                group = group &<< 6 | UInt32(value)
            }
            digits += 1
            guard digits == 4 else { continue }
            guard padding <= 2 else { return nil }
            for index in 0..<(3 - padding) {
                bytes.append(UInt8(truncatingIfNeeded: group &>> UInt32(16 - 8 * index)))
            }
            group = 0
            digits = 0
            // Padding ends the text: a further character finds `padding` above zero and is refused.
            if padding > 0, bytes.count != text.count / 4 * 3 - padding { return nil }
        }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character &- UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character &- UInt8(ascii: "a") &+ 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character &- UInt8(ascii: "0") &+ 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
