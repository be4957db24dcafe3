// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Zlib {
    /// The most bytes that a stream may inflate to.
    ///
    /// A legal token is far below.
    static let maximumInflated = 65_536

    /// Inflates a whole stream of any compressor.
    ///
    /// - Throws: ``TokenError/invalidCompression(reason:)`` or ``TokenError/inflatedTooLarge``.
    package static func inflate(_ stream: [UInt8]) throws(TokenError) -> [UInt8] {
        guard stream.count >= 2 else { throw .invalidCompression(reason: "it is empty") }
        let header = UInt16(stream[0]) &<< 8 | UInt16(stream[1])
        guard stream[0] & 0x0f == 8, stream[0] &>> 4 <= 7, header % 31 == 0 else {
            throw .invalidCompression(reason: "it does not begin with a zlib header")
        }
        guard stream[1] & 0x20 == 0 else { throw .invalidCompression(reason: "it needs a preset dictionary") }
        var inflater = Inflater(BitReader(stream, from: 2))
        try inflater.run()
        let checksum = try inflater.bits.trailer()
        guard checksum == adler32(of: inflater.output) else {
            throw .invalidCompression(reason: "its checksum does not match")
        }
        return inflater.output
    }

    private static func adler32(of bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        // Neither sum can overflow 32 bits within 5,552 bytes.
        for start in stride(from: 0, to: bytes.count, by: 5_552) {
            for byte in bytes[start..<min(start + 5_552, bytes.count)] {
                low &+= UInt32(byte)
                high &+= low
            }
            low %= 65_521
            high %= 65_521
        }
        return high &<< 16 | low
    }
}
