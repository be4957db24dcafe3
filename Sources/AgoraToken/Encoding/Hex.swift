// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Hexadecimal text.
package enum Hex {
    /// The value of one hexadecimal digit of either case, given in ASCII.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }

    /// The bytes as lower-case digits, two each.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String { text(bytes) }

    /// As for any sequence, without asking it for each byte.
    package static func encode(_ bytes: [UInt8]) -> String { text(bytes) }

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes {
            digits.append(digit(byte &>> 4))
            digits.append(digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The bytes that `text` stands for, or nothing when it has an odd length or another character.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text.utf8 {
            guard let value = value(of: digit) else { return nil }
            if let upper = high {
                bytes.append(upper &<< 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
    }
}
