// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

/// Sixteen bytes that stand for something: a lease, a token, a message or a body.
package struct Key: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The first eight bytes, as a big-endian number.
    package let high: UInt64
    /// The last eight.
    package let low: UInt64

    /// Puts sixteen bytes together from two big-endian numbers.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Takes the first sixteen bytes; nil if there are fewer.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 16 else { return nil }
        self.init(bytes.span, at: 0)
    }

    /// Takes the sixteen bytes at `position`, which must be there.
    package init(_ bytes: Span<UInt8>, at position: Int) {
        high = bytes.word(at: position, as: UInt64.self)
        low = bytes.word(at: position + 8, as: UInt64.self)
    }

    /// Reads 32 lower-case hexadecimal digits.
    package init?(hex: some StringProtocol) {
        guard hex.utf8.count == 32, hex.utf8.allSatisfy(Self.isDigit) else { return nil }
        guard let high = UInt64(hex.prefix(16), radix: 16), let low = UInt64(hex.suffix(16), radix: 16) else {
            return nil
        }
        (self.high, self.low) = (high, low)
    }

    /// The sixteen bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// Appends the sixteen bytes.
    package func append(to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: 16) { output in
            for word in [high, low] {
                for shift in stride(from: UInt64(56), through: 0, by: -8) {
                    output.append(UInt8(truncatingIfNeeded: word &>> shift))
                }
            }
        }
    }

    /// The bytes as 32 lower-case hexadecimal digits.
    package var hex: String { text(after: "") }

    /// A text that goes on with the bytes as hexadecimal digits.
    func text(after prefix: String) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(prefix.utf8.count + 32)
        text.append(contentsOf: prefix.utf8)
        text.append(addingCapacity: 32) { output in
            Self.write(high, to: &output)
            Self.write(low, to: &output)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func write(_ word: UInt64, to output: inout OutputSpan<UInt8>) {
        for shift in stride(from: UInt64(60), through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: word &>> shift) & 15
            output.append(digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") &- 10))
        }
    }

    package var description: String { hex }

    package static func < (a: Key, b: Key) -> Bool { (a.high, a.low) < (b.high, b.low) }

    /// A number below 2^64 that is spread evenly over keys.
    package var spread: UInt64 { low }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
