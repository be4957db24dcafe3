// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Deflates as zlib does at level 6, to the same bytes.
///
/// The input is written into ``input`` and the stream found in ``output``; both are kept from one run to the next.
struct Deflater: ~Copyable {
    /// The most bytes that one run takes.
    ///
    /// Above, zlib would have to slide its window, and a block might not be stored.
    static let maximumCount = 65_000

    /// What is to be deflated.
    let input = Bytes()
    /// The stream.
    let output = Bytes()

    private var finder = MatchFinder()
    private var bound = DynamicBound()
    private let symbols = Table<16_384, Symbol>(repeating: Symbol(literal: 0))
    private let statistics = BlockStatistics()
    private let codes = FixedCodes()
    private var writer = BlockWriter()
    /// Streams begin with the two bytes of their header.
    private static let start = 2

    init() {}

    /// Deflates the first `count` bytes of ``input`` into a zlib stream, and returns the stream's length.
    mutating func deflate(_ count: Int) -> Int {
        precondition(count <= Self.maximumCount, "the caller refuses longer input")
        output.store(Zlib.header, at: 0)
        let end = count < WeightClasses.largestSum ? deflateShort(count) : deflateLong(count)
        return writeChecksum(count, at: end)
    }

    /// Writes the first `count` bytes of ``input`` into a zlib stream of one stored block; returns its length.
    mutating func store(_ count: Int) -> Int {
        precondition(count <= Self.maximumCount, "the caller refuses longer input")
        output.store(Zlib.header, at: 0)
        return writeChecksum(count, at: storeBlock(count))
    }

    /// Writes one block, of fixed codes unless zlib would choose otherwise; returns the position after it.
    private mutating func deflateShort(_ count: Int) -> Int {
        var sink = FixedSink(
            symbols: symbols, statistics: statistics, codes: codes, output: output, at: Self.start)
        finder.run(input, count: count, into: &sink)
        let fixedBytes = (sink.finish() &+ 10) &>> 3
        let storedBytes = count &+ 4
        let statistics = sink.statistics
        if count > 0, let dynamicBits = bound.bits(statistics, symbols: sink.count, matches: sink.matches),
            (dynamicBits &+ 10) &>> 3 >= min(fixedBytes, storedBytes)
        {
            return storedBytes <= fixedBytes ? storeBlock(count) : sink.align()
        }
        var bits = BitWriter(output, at: Self.start)
        writer.write(
            symbols, count: sink.count, statistics, input: input, range: 0..<count, isLast: true, output: output,
            bits: &bits)
        return bits.align()
    }

    /// Writes any number of blocks; returns the position after them.
    private mutating func deflateLong(_ count: Int) -> Int {
        var sink = BlockSink(
            symbols: symbols, statistics: statistics, writer: writer, input: input, output: output, at: Self.start)
        finder.run(input, count: count, into: &sink)
        return sink.finish(at: count)
    }

    private func storeBlock(_ count: Int) -> Int {
        var bits = BitWriter(output, at: Self.start)
        BlockWriter.writeStored(input, range: 0..<count, isLast: true, output: output, bits: &bits)
        return bits.align()
    }

    private func writeChecksum(_ count: Int, at position: Int) -> Int {
        output.store(Zlib.adler32(input, count: count).byteSwapped, at: position)
        return position &+ 4
    }
}
