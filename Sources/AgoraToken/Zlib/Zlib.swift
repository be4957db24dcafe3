// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Zlib streams (RFC 1950).
enum Zlib {
    /// A stream of uncompressed blocks.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x9c]
        var position = 0
        repeat {
            let count = min(65_535, bytes.count - position)
            stream.append(position + count == bytes.count ? 1 : 0)
            for length in [UInt16(count), ~UInt16(count)] {
                stream.append(UInt8(truncatingIfNeeded: length))
                stream.append(UInt8(truncatingIfNeeded: length &>> 8))
            }
            stream += bytes[position..<position + count]
            position += count
        } while position < bytes.count
        let checksum = adler32(bytes)
        for shift: UInt32 in [24, 16, 8, 0] {
            stream.append(UInt8(truncatingIfNeeded: checksum &>> shift))
        }
        return stream
    }

    /// The checksum of RFC 1950.
    static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low &+ UInt32(byte)) % 65_521
            high = (high &+ low) % 65_521
        }
        return high &<< 16 | low
    }
}
