// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A literal or a match as it is kept until its block is written: the byte or the length, and the distance above it.
struct Symbol: BitwiseCopyable {
    private let value: UInt32

    /// A literal.
    @inline(__always)
    init(literal byte: UInt8) {
        value = UInt32(byte)
    }

    /// A match.
    @inline(__always)
    init(length: Int, distance: Int) {
        value = UInt32(truncatingIfNeeded: length | distance &<< 16)
    }

    /// The byte of a literal, the length of a match.
    var low: Int {
        Int(value & 0xffff)
    }

    /// The distance of a match, 0 for a literal.
    var distance: Int {
        Int(value &>> 16)
    }
}
