// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A lower bound for the size of a dynamic block, good enough to see, for nearly every token, that zlib would not
/// choose one; building the trees to find that out is what most of its time goes into.
struct DynamicBound: ~Copyable {
    private var literals = WeightClasses()
    private var distances = WeightClasses()
    private let costs = CodeCost()
    private let used = Table<8, UInt64>(repeating: 0)
    private let zeroRuns = Table<512, UInt32>(repeating: 0)
    /// How many of the code-length alphabet's lengths are sent at least if a length, 0 to 15, occurs.
    private let orderCounts = [4, 18, 16, 14, 12, 10, 8, 6, 5, 7, 9, 11, 13, 15, 17, 19]

    init() {
        for count in 0..<512 {
            let rest = count % 138
            let long = UInt32(count / 138) &+ (rest >= 11 ? 1 : 0)
            zeroRuns[count] = (rest < 3 ? UInt32(rest) : 0) | (3...10 ~= rest ? 1 &<< 10 : 0) | long &<< 20
        }
    }

    /// At least this many bits follow the three of a dynamic block's header, or nothing if no bound is found.
    mutating func bits(_ statistics: BlockStatistics, symbols: Int, matches: Int) -> Int? {
        guard symbols < WeightClasses.largestSum else { return nil }
        var runs: UInt32 = 0
        guard let distances = distances(statistics, matches: matches, runs: &runs) else { return nil }
        let usedLiterals = collect(statistics.literals, runs: &runs)
        guard literals.solve() else { return nil }
        let repeats = repeats(statistics)
        // Exactly so many leaves lie at a depth for certain, less those whose length may be left out.
        let certain =
            literals.least.excess(over: literals.most.deeper).excess(over: repeats.byLength)
            &+ distances.lengths
        let zeros = Int(runs & 0x3ff)
        let shortRuns = Int(runs &>> 10 & 0x3ff)
        let longRuns = Int(runs &>> 20)
        var parts = costs.part(zeros) &+ costs.part(shortRuns) &+ costs.part(longRuns)
        var known = 0
        var largest = 0
        var orderCount = zeros > 0 ? 4 : 3
        for length in 1..<16 {
            let count = Int(certain[length])
            guard count > 0 else { continue }
            known &+= count
            parts &+= costs.part(count)
            largest = max(largest, count)
            orderCount = max(orderCount, orderCounts[length])
        }
        // The others have some length. All the same one, the most frequent, is the cheapest case; and a repetition
        // stands for six lengths at most.
        let missing = max(usedLiterals &+ distances.count &- repeats.total &* 5 / 6 &- known, 0)
        parts &+= costs.part(largest &+ missing) &- costs.part(largest)
        let lengthBits = costs.bits(zeros &+ shortRuns &+ longRuns &+ known &+ missing, parts: parts)
        return literals.cost &+ distances.cost &+ statistics.extraBits &+ 14 &+ 3 &* orderCount &+ lengthBits
            &+ 3 &* shortRuns &+ 7 &* longRuns
    }

    /// Enters the used literals and lengths, counts them, and how the zeros between them are sent.
    @inline(__always)
    private mutating func collect(_ frequencies: Table<512, UInt16>, runs: inout UInt32) -> Int {
        var count = 0
        var next = 0
        for word in 0..<5 {
            var bits = Self.nonzero(frequencies, word)
            used[word] = bits
            count &+= bits.nonzeroBitCount
            while bits != 0 {
                let symbol = word &<< 6 | bits.trailingZeroBitCount
                bits &= bits &- 1
                literals.add(Int(frequencies[symbol]))
                runs &+= zeroRuns[symbol &- next]
                next = symbol &+ 1
            }
        }
        return count
    }

    /// Which of 64 frequencies are not zero.
    @inline(__always)
    private static func nonzero(_ frequencies: Table<512, UInt16>, _ word: Int) -> UInt64 {
        var bits: UInt64 = 0
        for index in 0..<64 {
            bits |= (frequencies[word &<< 6 | index] == 0 ? 0 : 1) &<< UInt64(index)
        }
        return bits
    }

    /// What the distances add: their number, their certain lengths, their cost.
    private mutating func distances(
        _ statistics: BlockStatistics, matches: Int, runs: inout UInt32
    ) -> (count: Int, lengths: Depths, cost: Int)? {
        var usedBits: UInt64 = 0
        for symbol in 0..<DeflateFormat.distances where statistics.distances[symbol] != 0 {
            usedBits |= 1 &<< UInt64(symbol)
        }
        let count = usedBits.nonzeroBitCount
        // zlib makes two codes in any case, the unused ones as low as possible.
        if count == 0 { usedBits = 3 }
        if count == 1 { usedBits |= usedBits & 1 != 0 ? 2 : usedBits & 2 != 0 ? 4 : 1 }
        guard usedBits & usedBits &>> 1 & usedBits &>> 2 & usedBits &>> 3 == 0 else { return nil }
        var next = 0
        var rest = usedBits
        while rest != 0 {
            let symbol = rest.trailingZeroBitCount
            rest &= rest &- 1
            runs &+= zeroRuns[symbol &- next]
            next = symbol &+ 1
            if count > 2 { distances.add(Int(statistics.distances[symbol])) }
        }
        var lengths = Depths()
        if count <= 2 {
            lengths[1] = 2
            return (2, lengths, matches)
        }
        guard distances.solve() else { return nil }
        lengths = distances.least.excess(over: distances.most.deeper)
        return (count, lengths, distances.cost)
    }

    /// Where lengths of literals may repeat.
    private func repeats(_ statistics: BlockStatistics) -> RepeatBounds {
        var bounds = RepeatBounds()
        var previous = -2
        for word in 0..<5 {
            let bits = used[word]
            let above = used[word &+ 1]
            // The symbols that three further ones follow immediately.
            var starts =
                bits & (bits &>> 1 | above &<< 63) & (bits &>> 2 | above &<< 62) & (bits &>> 3 | above &<< 61)
            while starts != 0 {
                let symbol = word &<< 6 | starts.trailingZeroBitCount
                starts &= starts &- 1
                if symbol != previous &+ 1 {
                    bounds.begin()
                    for offset in 0..<3 { add(symbol &+ offset, statistics, &bounds) }
                }
                add(symbol &+ 3, statistics, &bounds)
                previous = symbol
            }
        }
        return bounds
    }

    @inline(__always)
    private func add(_ symbol: Int, _ statistics: BlockStatistics, _ bounds: inout RepeatBounds) {
        bounds.add(symbol, literals.possibleDepths(Int(statistics.literals[symbol])))
    }
}
