// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The CRC-32 of IEEE 802.3, as zlib has it.
enum CRC32 {
    /// The checksum of `bytes`.
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                sum = sum &>> 1 ^ (sum & 1 == 0 ? 0 : 0xedb8_8320)
            }
        }
        return ~sum
    }
}
