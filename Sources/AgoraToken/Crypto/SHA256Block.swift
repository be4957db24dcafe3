// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Sixteen 32-bit words: a block of a SHA-256 message, or sixteen of its round constants.
struct SHA256Block {
    var w0: UInt32 = 0
    var w1: UInt32 = 0
    var w2: UInt32 = 0
    var w3: UInt32 = 0
    var w4: UInt32 = 0
    var w5: UInt32 = 0
    var w6: UInt32 = 0
    var w7: UInt32 = 0
    var w8: UInt32 = 0
    var w9: UInt32 = 0
    var w10: UInt32 = 0
    var w11: UInt32 = 0
    var w12: UInt32 = 0
    var w13: UInt32 = 0
    var w14: UInt32 = 0
    var w15: UInt32 = 0

    /// Replaces the words by the next sixteen of the message schedule (FIPS 180-4, 6.2.2).
    @inline(__always)
    mutating func expand() {
        w0 = Self.next(w0, w1, w9, w14)
        w1 = Self.next(w1, w2, w10, w15)
        w2 = Self.next(w2, w3, w11, w0)
        w3 = Self.next(w3, w4, w12, w1)
        w4 = Self.next(w4, w5, w13, w2)
        w5 = Self.next(w5, w6, w14, w3)
        w6 = Self.next(w6, w7, w15, w4)
        w7 = Self.next(w7, w8, w0, w5)
        w8 = Self.next(w8, w9, w1, w6)
        w9 = Self.next(w9, w10, w2, w7)
        w10 = Self.next(w10, w11, w3, w8)
        w11 = Self.next(w11, w12, w4, w9)
        w12 = Self.next(w12, w13, w5, w10)
        w13 = Self.next(w13, w14, w6, w11)
        w14 = Self.next(w14, w15, w7, w12)
        w15 = Self.next(w15, w0, w8, w13)
    }

    @inline(__always)
    private static func next(_ old: UInt32, _ low: UInt32, _ middle: UInt32, _ high: UInt32) -> UInt32 {
        let small = low.rotated(7) ^ low.rotated(18) ^ (low &>> 3)
        let large = high.rotated(17) ^ high.rotated(19) ^ (high &>> 10)
        return old &+ small &+ middle &+ large
    }
}

extension UInt32 {
    /// The word turned right by `count` bits, 1 to 31.
    @inline(__always)
    func rotated(_ count: UInt32) -> UInt32 {
        (self &>> count) | (self &<< (32 &- count))
    }
}
