// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The fixed codes of literals and lengths in a form that is quick to write.
struct FixedCodes {
    /// By symbol: the code in the lowest nine bits, its length in the highest four.
    private let packed = Table<512, UInt16>(repeating: 0)

    init() {
        for symbol in 0..<288 {
            packed[symbol] =
                DeflateFormat.fixedCode(symbol) | UInt16(DeflateFormat.fixedLength(symbol)) &<< 12
        }
    }

    @inline(__always)
    func write(_ symbol: Int, to bits: inout BitWriter) {
        let code = packed[symbol]
        bits.append(UInt64(code & 0x1ff), Int(code &>> 12))
    }
}
