// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Keeps the symbols of a block, and writes the block when it is full.
struct BlockSink: SymbolSink {
    /// zlib ends a block after this many symbols.
    private static let capacity = 16_383

    private let symbols: Table<16_384, Symbol>
    private var statistics: BlockStatistics
    private var writer: BlockWriter
    private let input: Bytes
    private let output: Bytes
    private var bits: BitWriter
    private var count = 0
    private var start = 0

    init(
        symbols: Table<16_384, Symbol>, statistics: BlockStatistics, writer: BlockWriter, input: Bytes, output: Bytes,
        at position: Int
    ) {
        self.symbols = symbols
        self.statistics = statistics
        self.writer = writer
        self.input = input
        self.output = output
        bits = BitWriter(output, at: position)
        self.statistics.reset()
    }

    @inline(__always)
    mutating func literal(_ byte: UInt8, end: Int) {
        statistics.count(literal: byte)
        add(Symbol(literal: byte), end: end)
    }

    @inline(__always)
    mutating func match(length: Int, distance: Int, end: Int) {
        statistics.count(
            lengthCode: DeflateFormat.lengthCode(length), distanceCode: DeflateFormat.distanceCode(distance))
        add(Symbol(length: length, distance: distance), end: end)
    }

    @inline(__always)
    private mutating func add(_ symbol: Symbol, end: Int) {
        symbols[count] = symbol
        count &+= 1
        if count == Self.capacity { write(upTo: end, isLast: false) }
    }

    /// Writes the last block and returns the position after it.
    mutating func finish(at end: Int) -> Int {
        write(upTo: end, isLast: true)
        return bits.align()
    }

    private mutating func write(upTo end: Int, isLast: Bool) {
        writer.write(
            symbols, count: count, statistics, input: input, range: start..<end, isLast: isLast, output: output,
            bits: &bits)
        statistics.reset()
        count = 0
        start = end
    }
}
