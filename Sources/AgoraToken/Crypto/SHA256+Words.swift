// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

// Keys and digests of tokens are words from one hash to the next, and are fed to it as such.

extension SHA256Block {
    /// The first block of an HMAC: a key of 32 bytes, or of fewer that are followed by zeros, mixed with `pad`.
    @inline(__always)
    static func key(_ key: SHA256State, pad: UInt32) -> SHA256Block {
        SHA256Block(
            w0: key.h0 ^ pad, w1: key.h1 ^ pad, w2: key.h2 ^ pad, w3: key.h3 ^ pad, w4: key.h4 ^ pad,
            w5: key.h5 ^ pad, w6: key.h6 ^ pad, w7: key.h7 ^ pad, w8: pad, w9: pad, w10: pad, w11: pad, w12: pad,
            w13: pad, w14: pad, w15: pad)
    }

    /// The second and last block of a message whose other 32 bytes are `words`.
    @inline(__always)
    static func last(_ words: SHA256State) -> SHA256Block {
        SHA256Block(
            w0: words.h0, w1: words.h1, w2: words.h2, w3: words.h3, w4: words.h4, w5: words.h5, w6: words.h6,
            w7: words.h7, w8: 0x8000_0000, w15: (64 + 32) * 8)
    }

    /// The 64 bytes at `position`.
    @inline(__always)
    init(_ bytes: Bytes, at position: Int) {
        func word(_ index: Int) -> UInt32 {
            bytes.load(position &+ 4 &* index, as: UInt32.self).byteSwapped
        }
        self.init(
            w0: word(0), w1: word(1), w2: word(2), w3: word(3), w4: word(4), w5: word(5), w6: word(6), w7: word(7),
            w8: word(8), w9: word(9), w10: word(10), w11: word(11), w12: word(12), w13: word(13), w14: word(14),
            w15: word(15))
    }
}

extension SHA256State {
    /// A key of four bytes, least significant first.
    init(littleEndianKey key: UInt32) {
        self.init(h0: key.byteSwapped, h1: 0, h2: 0, h3: 0, h4: 0, h5: 0, h6: 0, h7: 0)
    }

    /// Thirty-two characters as a message.
    init(_ characters: HexText) {
        let words = characters.words
        func high(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word).byteSwapped }
        func low(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word &>> 32).byteSwapped }
        self.init(
            h0: high(words[0]), h1: low(words[0]), h2: high(words[1]), h3: low(words[1]), h4: high(words[2]),
            h5: low(words[2]), h6: high(words[3]), h7: low(words[3]))
    }

    /// Writes the words as bytes, most significant first.
    func store(to bytes: Bytes, at position: Int) {
        bytes.store(h0.byteSwapped, at: position)
        bytes.store(h1.byteSwapped, at: position &+ 4)
        bytes.store(h2.byteSwapped, at: position &+ 8)
        bytes.store(h3.byteSwapped, at: position &+ 12)
        bytes.store(h4.byteSwapped, at: position &+ 16)
        bytes.store(h5.byteSwapped, at: position &+ 20)
        bytes.store(h6.byteSwapped, at: position &+ 24)
        bytes.store(h7.byteSwapped, at: position &+ 28)
    }
}
