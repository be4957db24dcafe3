// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Deflates as zlib does at level 6, to the same bytes.
///
/// The input is written into ``input`` and the stream found in ``output``; both are kept from one run to the next.
struct Deflater {
    /// The most bytes that one run takes. Above, zlib would have to slide its window, and a block might not be stored.
    static let maximumCount = 65_000

    /// What is to be deflated.
    let input = Bytes()
    /// The stream.
    let output = Bytes()

    private var finder = MatchFinder()
    private let symbols = Table<16_384, Symbol>(repeating: Symbol(literal: 0))
    private let statistics = BlockStatistics()
    private let writer = BlockWriter()

    init() {}

    /// Deflates the first `count` bytes of ``input`` into a zlib stream, and returns the stream's length.
    mutating func deflate(_ count: Int) -> Int {
        precondition(count <= Self.maximumCount, "the caller refuses longer input")
        output.store(Zlib.header, at: 0)
        var sink = BlockSink(
            symbols: symbols, statistics: statistics, writer: writer, input: input, output: output, at: 2)
        finder.run(input, count: count, into: &sink)
        return writeChecksum(count, at: sink.finish(at: count))
    }

    /// Writes the first `count` bytes of ``input`` into a zlib stream of one stored block; returns its length.
    mutating func store(_ count: Int) -> Int {
        precondition(count <= Self.maximumCount, "the caller refuses longer input")
        output.store(Zlib.header, at: 0)
        var bits = BitWriter(output, at: 2)
        BlockWriter.writeStored(input, range: 0..<count, isLast: true, output: output, bits: &bits)
        return writeChecksum(count, at: 2 + 5 + count)
    }

    private func writeChecksum(_ count: Int, at position: Int) -> Int {
        output.store(Zlib.adler32(input, count: count).byteSwapped, at: position)
        return position &+ 4
    }
}
