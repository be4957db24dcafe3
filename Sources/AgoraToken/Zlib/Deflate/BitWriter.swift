// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Appends bits to bytes, the lowest bit of a byte first (RFC 1951, 3.1.1).
struct BitWriter {
    private let bytes: Bytes
    private var position: Int
    private var pending: UInt64 = 0
    private var count: UInt64 = 0

    /// Writes to `bytes` from `position` on.
    init(_ bytes: Bytes, at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// Appends the lowest `length` bits of `bits`, at most 56; the others must be zero.
    ///
    /// All eight bytes are stored each time and those that are not full again later: no branch to mispredict.
    @inline(__always)
    mutating func append(_ bits: UInt64, _ length: Int) {
        pending |= bits &<< count
        count &+= UInt64(truncatingIfNeeded: length)
        bytes.store(pending, at: position)
        position &+= Int(truncatingIfNeeded: count &>> 3)
        pending &>>= count & 0x38
        count &= 7
    }

    /// How many bits were written, those before the first position included.
    var bitCount: Int {
        position &* 8 &+ Int(count)
    }

    /// Fills the current byte with zeros and returns the position after it.
    mutating func align() -> Int {
        if count > 0 { append(0, Int(8 &- count)) }
        return position
    }

    /// Goes on at `position`, which follows bytes that were written past the writer, which must be aligned.
    mutating func resume(at position: Int) {
        self.position = position
    }
}
