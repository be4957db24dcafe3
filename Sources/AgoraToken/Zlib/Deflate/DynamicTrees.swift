// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The trees of a dynamic block and what they cost: literals and lengths, distances, and the code of their lengths.
struct DynamicTrees {
    /// The code of literals and lengths.
    private(set) var literals = HuffmanTree(symbols: DeflateFormat.literals, longest: 15)
    /// The code of distances.
    private(set) var distances = HuffmanTree(symbols: DeflateFormat.distances, longest: 15)
    /// The code in which the lengths of the other two are sent.
    private(set) var order = HuffmanTree(symbols: 19, longest: 7)
    /// The lengths of both as sent: symbols 0 to 15 are lengths, 16 to 18 are runs.
    private(set) var runs: [Run] = []
    /// How many lengths of ``order`` are sent.
    private(set) var orderCount = 0

    /// One symbol of the code-length alphabet.
    struct Run {
        /// 0 to 15 for a length, 16 for a repetition of the last, 17 and 18 for zeros.
        let symbol: Int
        /// The bits after the symbol, which say how long the run is.
        let extra: Int

        /// How many bits ``extra`` has.
        var extraBits: Int {
            switch symbol {
            case 16: 2
            case 17: 3
            case 18: 7
            default: 0
            }
        }
    }

    /// Builds the trees for a block, and returns its size in bits after the three of its header.
    mutating func build(_ statistics: BlockStatistics) -> Int {
        literals.build { Int(statistics.literals[$0]) }
        distances.build { Int(statistics.distances[$0]) }
        runs.removeAll(keepingCapacity: true)
        scan(literals.lengths, last: literals.last)
        scan(distances.lengths, last: distances.last)
        var frequencies = InlineArray<19, Int>(repeating: 0)
        var extra = 0
        for run in runs {
            frequencies[run.symbol] += 1
            extra += run.extraBits
        }
        order.build { frequencies[$0] }
        orderCount = 19
        while orderCount > 4, order.lengths[DeflateFormat.codeLengthOrder[orderCount - 1]] == 0 { orderCount -= 1 }
        return literals.bits + distances.bits + statistics.extraBits + order.bits + extra + 3 * orderCount + 14
    }

    /// Splits code lengths into runs, which do not go on from one tree to the next.
    private mutating func scan(_ lengths: Table<512, UInt8>, last: Int) {
        var previous: UInt8?
        var symbol = 0
        while symbol <= last {
            let length = lengths[symbol]
            var count = 1
            // The first of equal lengths is sent itself, except that zeros need no first.
            let longest = length == 0 ? 138 : length == previous ? 6 : 7
            while count < longest, symbol + count <= last, lengths[symbol + count] == length { count += 1 }
            symbol += count
            add(length, count, isNew: length != previous)
            previous = length
        }
    }

    private mutating func add(_ length: UInt8, _ count: Int, isNew: Bool) {
        switch (length, count) {
        case (0, 11...): runs.append(Run(symbol: 18, extra: count - 11))
        case (0, 3...): runs.append(Run(symbol: 17, extra: count - 3))
        case (1..., 4...) where isNew:
            runs.append(Run(symbol: Int(length), extra: 0))
            runs.append(Run(symbol: 16, extra: count - 4))
        case (1..., 3...) where !isNew: runs.append(Run(symbol: 16, extra: count - 3))
        default:
            for _ in 0..<count { runs.append(Run(symbol: Int(length), extra: 0)) }
        }
    }
}
