// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// SHA-256 (FIPS 180-4) over bytes that come piece by piece.
package struct SHA256 {
    /// The length of a digest in bytes.
    package static let digestCount = 32

    private var state = SHA256State()
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    /// Makes a hash of nothing yet.
    package init() {}

    /// Adds `bytes` to the message.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            pending.append(byte)
            count &+= 1
            guard pending.count == 64 else { continue }
            state.absorb(SHA256Block(pending.span, at: 0))
            pending.removeAll(keepingCapacity: true)
        }
    }

    /// The digest of what was added so far; more may be added afterwards.
    package func finalize() -> [UInt8] {
        var last = self
        let bits = count &* 8
        last.update(CollectionOfOne(0x80))
        while last.pending.count != 56 {
            last.update(CollectionOfOne(0))
        }
        last.update((0..<8).map { UInt8(truncatingIfNeeded: bits &>> UInt64(56 - 8 * $0)) })
        return last.state.digest
    }

    /// Whether two digests are equal, found in the same time wherever they differ.
    package static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in one.indices {
            difference |= one[index] ^ other[index]
        }
        return difference == 0
    }

    /// The digest of `bytes`.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }

    /// The digest of `bytes`, whole blocks at a time: three times as quick as byte by byte.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var message = bytes
        return SHA256State(padding: &message).digest
    }

    /// The first sixteen bytes of the digest of `message`, as two big-endian numbers.
    ///
    /// The message is padded where it is, which copies nothing if it has room for 72 bytes more.
    package static func half(padding message: inout [UInt8]) -> (high: UInt64, low: UInt64) {
        let state = SHA256State(padding: &message)
        return (UInt64(state.h0) &<< 32 | UInt64(state.h1), UInt64(state.h2) &<< 32 | UInt64(state.h3))
    }
}

extension SHA256State {
    /// The state after a whole message, which gets its padding appended.
    init(padding message: inout [UInt8]) {
        self.init()
        let bits = UInt64(message.count) &* 8
        let zeros = (119 - message.count % 64) % 64
        message.append(addingCapacity: 1 + zeros + 8) { output in
            output.append(0x80)
            output.append(repeating: 0, count: zeros)
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: bits &>> shift))
            }
        }
        let blocks = message.span
        for start in stride(from: 0, to: blocks.count, by: 64) { absorb(SHA256Block(blocks, at: start)) }
    }

    /// The words as bytes, most significant first.
    var digest: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(SHA256.digestCount)
        for word in [h0, h1, h2, h3, h4, h5, h6, h7] {
            for shift: UInt32 in [24, 16, 8, 0] {
                bytes.append(UInt8(truncatingIfNeeded: word &>> shift))
            }
        }
        return bytes
    }
}

extension SHA256Block {
    /// The block made of the 64 bytes at `start`.
    init(_ bytes: Span<UInt8>, at start: Int) {
        func word(_ index: Int) -> UInt32 { bytes.word(at: start + 4 * index, as: UInt32.self) }
        self.init(
            w0: word(0), w1: word(1), w2: word(2), w3: word(3), w4: word(4), w5: word(5), w6: word(6), w7: word(7),
            w8: word(8), w9: word(9), w10: word(10), w11: word(11), w12: word(12), w13: word(13), w14: word(14),
            w15: word(15))
    }
}
