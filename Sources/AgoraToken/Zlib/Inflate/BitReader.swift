// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Takes bits from bytes, the lowest bit of a byte first (RFC 1951, 3.1.1).
struct BitReader {
    private let bytes: [UInt8]
    private var position: Int
    private var buffer: UInt64 = 0
    private var available = 0

    init(_ bytes: [UInt8], from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// The next `count` bits, 0 to 32.
    mutating func take(_ count: Int) throws(TokenError) -> Int {
        while available < count {
            guard position < bytes.count else { throw .invalidCompression(reason: "it ends early") }
            buffer |= UInt64(bytes[position]) &<< UInt64(available)
            position += 1
            available += 8
        }
        let value = buffer & ((1 &<< UInt64(count)) &- 1)
        buffer = buffer &>> UInt64(count)
        available -= count
        return Int(value)
    }

    /// Drops what is left of the current byte.
    mutating func align() {
        let rest = available & 7
        buffer = buffer &>> UInt64(rest)
        available -= rest
    }

    /// The big-endian checksum at the end, after which there must be nothing.
    mutating func trailer() throws(TokenError) -> UInt32 {
        align()
        var checksum: UInt32 = 0
        for _ in 0..<4 {
            checksum = checksum &<< 8 | UInt32(truncatingIfNeeded: try take(8))
        }
        guard available == 0, position == bytes.count else {
            throw .invalidCompression(reason: "more bytes follow its end")
        }
        return checksum
    }
}
