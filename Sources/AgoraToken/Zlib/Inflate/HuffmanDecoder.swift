// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Decodes one canonical Huffman code (RFC 1951, 3.2.2) by counting: few bytes to build, and tokens are short.
struct HuffmanDecoder {
    private var counts: [Int] = Array(repeating: 0, count: 16)
    private var symbols: [UInt16]

    /// Builds the decoder for symbols of these code lengths, 0 to 15, of which 0 means unused.
    ///
    /// As in zlib, a code may be empty, and `mayBeSingle` allows one code of one bit; otherwise it must be complete.
    init(lengths: ArraySlice<UInt8>, mayBeSingle: Bool) throws(TokenError) {
        for length in lengths { counts[Int(length)] += 1 }
        symbols = []
        let used = lengths.count - counts[0]
        counts[0] = 0
        var left = 1
        for length in 1...15 {
            left = left * 2 - counts[length]
            guard left >= 0 else { throw .invalidCompression(reason: "a Huffman code has too many words") }
        }
        guard left == 0 || used == 0 || (mayBeSingle && used == 1 && counts[1] == 1) else {
            throw .invalidCompression(reason: "a Huffman code is incomplete")
        }
        var offsets = Array(repeating: 0, count: 16)
        for length in 1..<15 { offsets[length + 1] = offsets[length] + counts[length] }
        symbols = Array(repeating: 0, count: used)
        for (symbol, length) in lengths.enumerated() where length != 0 {
            symbols[offsets[Int(length)]] = UInt16(symbol)
            offsets[Int(length)] += 1
        }
    }

    /// The next symbol.
    func next(_ bits: inout BitReader) throws(TokenError) -> Int {
        var code = 0
        var first = 0
        var index = 0
        for length in 1...15 {
            code |= try bits.take(1)
            let count = counts[length]
            if code - first < count { return Int(symbols[index + code - first]) }
            index += count
            first = (first + count) * 2
            code *= 2
        }
        throw .invalidCompression(reason: "it holds an unused code")
    }
}
