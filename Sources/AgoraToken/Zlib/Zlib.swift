// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Zlib streams (RFC 1950).
package enum Zlib {
    /// The two bytes before a stream that was made with a 32 KiB window at level 6: 78 9c.
    static let header: UInt16 = 0x9c78

    /// The checksum of the first `count` bytes.
    static func adler32(_ bytes: Bytes, count: Int) -> UInt32 {
        // 5,552 is the longest stretch after which neither sum can have overflowed 32 bits.
        var low: UInt32 = 1
        var high: UInt32 = 0
        var position = 0
        while position < count {
            let end = min(position &+ 5_552, count)
            while position < end {
                low &+= UInt32(bytes[position])
                high &+= low
                position &+= 1
            }
            low %= 65_521
            high %= 65_521
        }
        return high &<< 16 | low
    }

    /// The zlib stream that zlib makes of `bytes` at level 6.
    ///
    /// - Throws: ``TokenError/payloadTooLarge(bytes:)`` for more than 65,000 bytes.
    package static func deflate(_ bytes: [UInt8]) throws(TokenError) -> [UInt8] {
        guard bytes.count <= Deflater.maximumCount else { throw .payloadTooLarge(bytes: bytes.count) }
        return SigningPool.withWorkspace { $0.deflate(bytes) }
    }
}
