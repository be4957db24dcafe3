// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Writes the compressed body of a token as base64 after the version.
struct TokenEncoder {
    /// Two characters for each value of twelve bits, the first in the lower byte.
    private let pairs = Table<4_096, UInt16>(repeating: 0)

    init() {
        for value in 0..<4_096 {
            pairs[value] = UInt16(Base64.alphabet[value &>> 6]) | UInt16(Base64.alphabet[value & 63]) &<< 8
        }
    }

    /// The token whose body is the first `count` bytes of `stream`.
    ///
    /// What follows the stream is overwritten, and so is `scratch`, where the text is put together.
    func text(_ stream: Bytes, count: Int, scratch: Bytes) -> String {
        stream.store(0 as UInt64, at: count)
        scratch.store(0x37_3030 as UInt32, at: 0)
        var source = 0
        var target = 3
        while source < count {
            // Six bytes give eight characters; what a shorter last group has too many is cut off below.
            let group = stream.load(source, as: UInt64.self).byteSwapped
            let characters =
                UInt64(pairs[Int(truncatingIfNeeded: group &>> 52)])
                | UInt64(pairs[Int(truncatingIfNeeded: group &>> 40)]) &<< 16
                | UInt64(pairs[Int(truncatingIfNeeded: group &>> 28)]) &<< 32
                | UInt64(pairs[Int(truncatingIfNeeded: group &>> 16)]) &<< 48
            scratch.store(characters, at: target)
            source &+= 6
            target &+= 8
        }
        let end = 3 &+ (count &+ 2) / 3 &* 4
        for missing in 0..<((3 &- count % 3) % 3) {
            scratch[end &- 1 &- missing] = UInt8(ascii: "=")
        }
        return scratch.text(end)
    }
}
