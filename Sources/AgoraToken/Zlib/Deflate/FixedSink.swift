// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Writes what is found at once, as one block of fixed codes, in the hope that this is what zlib would choose; and
/// keeps the symbols and their number, to find that out and to write another block if it is not.
struct FixedSink: SymbolSink {
    /// How many symbols there are.
    private(set) var count = 0
    /// How many of them are matches.
    private(set) var matches = 0
    /// How often each occurs.
    private(set) var statistics: BlockStatistics

    private let symbols: Table<16_384, Symbol>
    private let codes: FixedCodes
    private var bits: BitWriter
    private let start: Int

    init(
        symbols: Table<16_384, Symbol>, statistics: BlockStatistics, codes: FixedCodes, output: Bytes, at position: Int
    ) {
        self.symbols = symbols
        self.statistics = statistics
        self.codes = codes
        bits = BitWriter(output, at: position)
        bits.append(1 | 1 &<< 1, 3)
        start = position &* 8 &+ 3
        self.statistics.reset()
    }

    @inline(__always)
    mutating func literal(_ byte: UInt8, end: Int) {
        statistics.count(literal: byte)
        codes.write(Int(byte), to: &bits)
        symbols[count] = Symbol(literal: byte)
        count &+= 1
    }

    @inline(__always)
    mutating func match(length: Int, distance: Int, end: Int) {
        let lengthCode = DeflateFormat.lengthCode(length)
        let distanceCode = DeflateFormat.distanceCode(distance)
        statistics.count(lengthCode: lengthCode, distanceCode: distanceCode)
        codes.write(DeflateFormat.firstLength &+ lengthCode, to: &bits)
        bits.append(
            UInt64(length &- DeflateFormat.lengthBase(lengthCode)), DeflateFormat.lengthExtraBits(lengthCode))
        bits.append(UInt64(DeflateFormat.reversed(distanceCode, 5)), 5)
        bits.append(
            UInt64(distance &- DeflateFormat.distanceBase(distanceCode)),
            DeflateFormat.distanceExtraBits(distanceCode))
        symbols[count] = Symbol(length: length, distance: distance)
        count &+= 1
        matches &+= 1
    }

    /// Ends the block and returns its size in bits, after the three of its header.
    mutating func finish() -> Int {
        codes.write(DeflateFormat.endOfBlock, to: &bits)
        return bits.bitCount &- start
    }

    /// Fills the last byte and returns the position after it.
    mutating func align() -> Int {
        bits.align()
    }
}
