// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The eight chaining words of SHA-256 (FIPS 180-4).
struct SHA256State {
    var h0: UInt32 = 0x6a09_e667
    var h1: UInt32 = 0xbb67_ae85
    var h2: UInt32 = 0x3c6e_f372
    var h3: UInt32 = 0xa54f_f53a
    var h4: UInt32 = 0x510e_527f
    var h5: UInt32 = 0x9b05_688c
    var h6: UInt32 = 0x1f83_d9ab
    var h7: UInt32 = 0x5be0_cd19

    /// Absorbs one block of the message.
    mutating func absorb(_ message: SHA256Block) {
        var block = message
        var work = self
        work.rounds(block, Self.constants0)
        block.expand()
        work.rounds(block, Self.constants1)
        block.expand()
        work.rounds(block, Self.constants2)
        block.expand()
        work.rounds(block, Self.constants3)
        h0 &+= work.h0
        h1 &+= work.h1
        h2 &+= work.h2
        h3 &+= work.h3
        h4 &+= work.h4
        h5 &+= work.h5
        h6 &+= work.h6
        h7 &+= work.h7
    }

    /// Sixteen rounds.
    ///
    /// Instead of moving the eight words along, each line names them one place further.
    @inline(__always)
    private mutating func rounds(_ w: SHA256Block, _ k: SHA256Block) {
        var mixed = h1 ^ h2
        Self.round(h0, h1, h2, &h3, h4, h5, h6, &h7, w.w0 &+ k.w0, &mixed)
        Self.round(h7, h0, h1, &h2, h3, h4, h5, &h6, w.w1 &+ k.w1, &mixed)
        Self.round(h6, h7, h0, &h1, h2, h3, h4, &h5, w.w2 &+ k.w2, &mixed)
        Self.round(h5, h6, h7, &h0, h1, h2, h3, &h4, w.w3 &+ k.w3, &mixed)
        Self.round(h4, h5, h6, &h7, h0, h1, h2, &h3, w.w4 &+ k.w4, &mixed)
        Self.round(h3, h4, h5, &h6, h7, h0, h1, &h2, w.w5 &+ k.w5, &mixed)
        Self.round(h2, h3, h4, &h5, h6, h7, h0, &h1, w.w6 &+ k.w6, &mixed)
        Self.round(h1, h2, h3, &h4, h5, h6, h7, &h0, w.w7 &+ k.w7, &mixed)
        Self.round(h0, h1, h2, &h3, h4, h5, h6, &h7, w.w8 &+ k.w8, &mixed)
        Self.round(h7, h0, h1, &h2, h3, h4, h5, &h6, w.w9 &+ k.w9, &mixed)
        Self.round(h6, h7, h0, &h1, h2, h3, h4, &h5, w.w10 &+ k.w10, &mixed)
        Self.round(h5, h6, h7, &h0, h1, h2, h3, &h4, w.w11 &+ k.w11, &mixed)
        Self.round(h4, h5, h6, &h7, h0, h1, h2, &h3, w.w12 &+ k.w12, &mixed)
        Self.round(h3, h4, h5, &h6, h7, h0, h1, &h2, w.w13 &+ k.w13, &mixed)
        Self.round(h2, h3, h4, &h5, h6, h7, h0, &h1, w.w14 &+ k.w14, &mixed)
        Self.round(h1, h2, h3, &h4, h5, h6, h7, &h0, w.w15 &+ k.w15, &mixed)
    }

    @inline(__always)
    private static func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
        _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ input: UInt32,
        _ mixed: inout UInt32
    ) {
        // Three rotations one after the other need fewer copies than three of the same word, and what two words differ
        // in is used again by the next round.
        let choice = g ^ (e & (f ^ g))
        let first = h &+ (((e.rotated(14) ^ e).rotated(5) ^ e).rotated(6)) &+ choice &+ input
        let next = a ^ b
        let majority = b ^ (next & mixed)
        mixed = next
        d &+= first
        h = first &+ (((a.rotated(9) ^ a).rotated(11) ^ a).rotated(2)) &+ majority
    }

    @inline(__always)
    private static var constants0: SHA256Block {
        SHA256Block(
            w0: 0x428a_2f98, w1: 0x7137_4491, w2: 0xb5c0_fbcf, w3: 0xe9b5_dba5,
            w4: 0x3956_c25b, w5: 0x59f1_11f1, w6: 0x923f_82a4, w7: 0xab1c_5ed5,
            w8: 0xd807_aa98, w9: 0x1283_5b01, w10: 0x2431_85be, w11: 0x550c_7dc3,
            w12: 0x72be_5d74, w13: 0x80de_b1fe, w14: 0x9bdc_06a7, w15: 0xc19b_f174)
    }

    @inline(__always)
    private static var constants1: SHA256Block {
        SHA256Block(
            w0: 0xe49b_69c1, w1: 0xefbe_4786, w2: 0x0fc1_9dc6, w3: 0x240c_a1cc,
            w4: 0x2de9_2c6f, w5: 0x4a74_84aa, w6: 0x5cb0_a9dc, w7: 0x76f9_88da,
            w8: 0x983e_5152, w9: 0xa831_c66d, w10: 0xb003_27c8, w11: 0xbf59_7fc7,
            w12: 0xc6e0_0bf3, w13: 0xd5a7_9147, w14: 0x06ca_6351, w15: 0x1429_2967)
    }

    @inline(__always)
    private static var constants2: SHA256Block {
        SHA256Block(
            w0: 0x27b7_0a85, w1: 0x2e1b_2138, w2: 0x4d2c_6dfc, w3: 0x5338_0d13,
            w4: 0x650a_7354, w5: 0x766a_0abb, w6: 0x81c2_c92e, w7: 0x9272_2c85,
            w8: 0xa2bf_e8a1, w9: 0xa81a_664b, w10: 0xc24b_8b70, w11: 0xc76c_51a3,
            w12: 0xd192_e819, w13: 0xd699_0624, w14: 0xf40e_3585, w15: 0x106a_a070)
    }

    @inline(__always)
    private static var constants3: SHA256Block {
        SHA256Block(
            w0: 0x19a4_c116, w1: 0x1e37_6c08, w2: 0x2748_774c, w3: 0x34b0_bcb5,
            w4: 0x391c_0cb3, w5: 0x4ed8_aa4a, w6: 0x5b9c_ca4f, w7: 0x682e_6ff3,
            w8: 0x748f_82ee, w9: 0x78a5_636f, w10: 0x84c8_7814, w11: 0x8cc7_0208,
            w12: 0x90be_fffa, w13: 0xa450_6ceb, w14: 0xbef9_a3f7, w15: 0xc671_78f2)
    }
}
