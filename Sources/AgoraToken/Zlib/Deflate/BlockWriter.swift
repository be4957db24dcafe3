// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Writes the blocks of a stream, each in the type that zlib would choose.
struct BlockWriter {
    private var trees = DynamicTrees()

    init() {}

    /// Writes one block.
    ///
    /// - Parameters:
    ///   - symbols: The block's literals and matches, of which there are `count`.
    ///   - count: How many symbols there are.
    ///   - statistics: How often each occurs.
    ///   - input: What is deflated.
    ///   - range: The part of it that the block stands for.
    ///   - isLast: Whether no further block follows.
    ///   - output: Where the stream is written, for stored blocks, which are bytes rather than bits.
    ///   - bits: Where the stream is written.
    mutating func write(
        _ symbols: Table<16_384, Symbol>, count: Int, _ statistics: BlockStatistics, input: Bytes, range: Range<Int>,
        isLast: Bool, output: Bytes, bits: inout BitWriter
    ) {
        let dynamicBytes = (trees.build(statistics) &+ 10) &>> 3
        let fixedBytes = (statistics.fixedBits &+ 10) &>> 3
        let last: UInt64 = isLast ? 1 : 0
        if range.count &+ 4 <= min(dynamicBytes, fixedBytes) {
            Self.writeStored(input, range: range, isLast: isLast, output: output, bits: &bits)
        } else if fixedBytes <= dynamicBytes {
            bits.append(last | 1 &<< 1, 3)
            Self.write(
                symbols, count: count, to: &bits,
                literal: { (UInt64(DeflateFormat.fixedCode($0)), DeflateFormat.fixedLength($0)) },
                distance: { (UInt64(DeflateFormat.reversed($0, 5)), 5) })
        } else {
            bits.append(last | 2 &<< 1, 3)
            writeHeader(to: &bits)
            let (literals, distances) = (trees.literals, trees.distances)
            Self.write(
                symbols, count: count, to: &bits,
                literal: { (UInt64(literals.codes[$0]), Int(literals.lengths[$0])) },
                distance: { (UInt64(distances.codes[$0]), Int(distances.lengths[$0])) })
        }
    }

    /// Writes a block of bytes as they are.
    static func writeStored(
        _ input: Bytes, range: Range<Int>, isLast: Bool, output: Bytes, bits: inout BitWriter
    ) {
        bits.append(isLast ? 1 : 0, 3)
        let position = bits.align()
        let count = UInt16(truncatingIfNeeded: range.count)
        output.store(count, at: position)
        output.store(~count, at: position &+ 2)
        output.copy(range.count, from: input, at: range.lowerBound, to: position &+ 4)
        bits.resume(at: position &+ 4 &+ range.count)
    }

    private func writeHeader(to bits: inout BitWriter) {
        bits.append(UInt64(trees.literals.last &- 256), 5)
        bits.append(UInt64(trees.distances.last), 5)
        bits.append(UInt64(trees.orderCount &- 4), 4)
        for index in 0..<trees.orderCount {
            bits.append(UInt64(trees.order.lengths[DeflateFormat.codeLengthOrder[index]]), 3)
        }
        for run in trees.runs {
            bits.append(UInt64(trees.order.codes[run.symbol]), Int(trees.order.lengths[run.symbol]))
            bits.append(UInt64(run.extra), run.extraBits)
        }
    }

    @inline(__always)
    private static func write(
        _ symbols: Table<16_384, Symbol>, count: Int, to bits: inout BitWriter,
        literal: (Int) -> (UInt64, Int), distance: (Int) -> (UInt64, Int)
    ) {
        for index in 0..<count {
            let symbol = symbols[index]
            guard symbol.distance > 0 else {
                let (code, length) = literal(symbol.low)
                bits.append(code, length)
                continue
            }
            let lengthCode = DeflateFormat.lengthCode(symbol.low)
            let (code, length) = literal(DeflateFormat.firstLength &+ lengthCode)
            bits.append(code, length)
            bits.append(
                UInt64(symbol.low &- DeflateFormat.lengthBase(lengthCode)), DeflateFormat.lengthExtraBits(lengthCode))
            let distanceCode = DeflateFormat.distanceCode(symbol.distance)
            let (second, secondLength) = distance(distanceCode)
            bits.append(second, secondLength)
            bits.append(
                UInt64(symbol.distance &- DeflateFormat.distanceBase(distanceCode)),
                DeflateFormat.distanceExtraBits(distanceCode))
        }
        let (end, endLength) = literal(DeflateFormat.endOfBlock)
        bits.append(end, endLength)
    }
}
