// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Decodes one canonical Huffman code (RFC 1951, 3.2.2).
///
/// Codes of up to nine bits, which is nearly all, are looked up; longer ones are found by counting, so that a stream
/// of many small blocks cannot make us fill large tables.
struct HuffmanDecoder {
    private static let lookupBits = 9

    /// By the next nine bits: the symbol above its length, or 0 where the code is longer.
    private var lookup: [UInt16]
    /// How many codes there are of each length.
    private var counts = Array(repeating: 0, count: 16)
    /// The symbols in the order of their codes.
    private var symbols: [UInt16]

    /// Builds the decoder for symbols of these code lengths, 0 to 15, of which 0 means unused.
    ///
    /// As in zlib, a code may be empty, and `mayBeSingle` allows one code of one bit; otherwise it must be complete.
    init(lengths: ArraySlice<UInt8>, mayBeSingle: Bool) throws(TokenError) {
        for length in lengths { counts[Int(length)] += 1 }
        let used = lengths.count - counts[0]
        counts[0] = 0
        lookup = Array(repeating: 0, count: 1 << Self.lookupBits)
        symbols = Array(repeating: 0, count: used)
        var left = 1
        for length in 1...15 {
            left = left * 2 - counts[length]
            guard left >= 0 else { throw .invalidCompression(reason: "a Huffman code has too many words") }
        }
        guard left == 0 || used == 0 || (mayBeSingle && used == 1 && counts[1] == 1) else {
            throw .invalidCompression(reason: "a Huffman code is incomplete")
        }
        var offsets = Array(repeating: 0, count: 16)
        var codes = Array(repeating: 0, count: 16)
        for length in 1..<15 {
            offsets[length + 1] = offsets[length] + counts[length]
            codes[length + 1] = (codes[length] + counts[length]) * 2
        }
        for (symbol, byte) in lengths.enumerated() where byte != 0 {
            let length = Int(byte)
            symbols[offsets[length]] = UInt16(symbol)
            offsets[length] += 1
            if length <= Self.lookupBits { enter(UInt16(symbol), code: codes[length], length: length) }
            codes[length] += 1
        }
    }

    /// Enters a short code for all bits that may follow it.
    private mutating func enter(_ symbol: UInt16, code: Int, length: Int) {
        var index = Int(DeflateFormat.reversed(code, length))
        while index < lookup.count {
            lookup[index] = symbol &<< 4 | UInt16(length)
            index += 1 << length
        }
    }

    /// The next symbol.
    @inline(__always)
    func next(_ bits: inout BitReader) throws(TokenError) -> Int {
        let window = bits.peek()
        let entry = lookup[window & (1 &<< Self.lookupBits &- 1)]
        guard entry != 0 else { return try nextLong(&bits, window) }
        try bits.drop(Int(entry & 15))
        return Int(entry &>> 4)
    }

    private func nextLong(_ bits: inout BitReader, _ window: Int) throws(TokenError) -> Int {
        var code = 0
        var first = 0
        var index = 0
        for length in 1...15 {
            code |= window &>> (length - 1) & 1
            let count = counts[length]
            if code - first < count {
                try bits.drop(length)
                return Int(symbols[index + code - first])
            }
            index += count
            first = (first + count) * 2
            code *= 2
        }
        throw .invalidCompression(reason: "it holds an unused code")
    }
}
