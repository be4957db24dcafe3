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
    @inline(__always)
    mutating func take(_ count: Int) throws(TokenError) -> Int {
        let value = peek() & ((1 &<< count) &- 1)
        try drop(count)
        return value
    }

    /// At least 32 bits without taking them, zeros where there are no more.
    @inline(__always)
    mutating func peek() -> Int {
        while available < 32, position < bytes.count {
            buffer |= UInt64(bytes[position]) &<< UInt64(available)
            position &+= 1
            available &+= 8
        }
        return Int(truncatingIfNeeded: buffer & 0xffff_ffff)
    }

    /// Takes `count` bits that were looked at.
    @inline(__always)
    mutating func drop(_ count: Int) throws(TokenError) {
        guard count <= available else { throw .invalidCompression(reason: "it ends early") }
        buffer &>>= UInt64(count)
        available &-= count
    }

    /// Drops what is left of the current byte.
    mutating func align() {
        let rest = available & 7
        buffer &>>= UInt64(rest)
        available &-= rest
    }

    /// The big-endian checksum at the end, after which there must be nothing.
    mutating func trailer() throws(TokenError) -> UInt32 {
        align()
        let checksum = UInt32(truncatingIfNeeded: try take(32)).byteSwapped
        guard available == 0, position == bytes.count else {
            throw .invalidCompression(reason: "more bytes follow its end")
        }
        return checksum
    }
}
