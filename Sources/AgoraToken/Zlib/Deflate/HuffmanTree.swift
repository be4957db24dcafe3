// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Builds the Huffman codes of one alphabet exactly as zlib does, including how ties are broken and how codes that
/// come out too long are repaired.
struct HuffmanTree {
    /// The code length of each symbol in bits, 0 for one that does not occur.
    let lengths = Table<512, UInt8>(repeating: 0)
    /// The code of each symbol, the first bit to be sent lowest.
    let codes = Table<512, UInt16>(repeating: 0)
    /// The last symbol that has a code.
    private(set) var last = -1
    /// The sum over all symbols of frequency times length.
    private(set) var bits = 0

    private let symbols: Int
    private let longest: Int
    /// By node: symbols first, then those that they were merged into.
    private let frequencies = Table<1_024, UInt32>(repeating: 0)
    private let parents = Table<1_024, UInt16>(repeating: 0)
    private let depths = Table<1_024, UInt8>(repeating: 0)
    private let levels = Table<1_024, UInt8>(repeating: 0)
    /// Nodes by key, see `key(_:)`; the smallest is at index 1.
    private let heap = Table<512, UInt64>(repeating: 0)
    private var heapCount = 0
    /// The nodes in the order in which they were merged.
    private let merged = Table<1_024, UInt16>(repeating: 0)
    private var mergedCount = 0

    /// Makes a builder for an alphabet of `symbols`, at most 286, with codes of at most `longest` bits.
    init(symbols: Int, longest: Int) {
        self.symbols = symbols
        self.longest = longest
    }

    /// Builds the codes for symbols that occur as often as `frequency` says.
    mutating func build(_ frequency: (Int) -> Int) {
        plant(frequency)
        merge()
        assignLengths()
    }

    /// Orders nodes by frequency, then by depth; equal ones are equal.
    @inline(__always)
    private func key(_ node: Int) -> UInt64 {
        UInt64(frequencies[node]) &<< 32 | UInt64(depths[node]) &<< 16 | UInt64(truncatingIfNeeded: node)
    }

    @inline(__always)
    private mutating func plant(_ frequency: (Int) -> Int) {
        heapCount = 0
        last = -1
        bits = 0
        for symbol in 0..<symbols {
            lengths[symbol] = 0
            let count = frequency(symbol)
            if count > 0 { plant(symbol, count) }
        }
        // Two codes at least, because decoders want them; those that do not occur cost nothing.
        while heapCount < 2 {
            plant(last < 2 ? last &+ 1 : 0, 1)
            bits &-= 1
        }
    }

    @inline(__always)
    private mutating func plant(_ symbol: Int, _ frequency: Int) {
        depths[symbol] = 0
        frequencies[symbol] = UInt32(truncatingIfNeeded: frequency)
        last = max(last, symbol)
        heapCount &+= 1
        heap[heapCount] = key(symbol)
    }

    private mutating func merge() {
        var index = heapCount &>> 1
        while index >= 1 {
            sift(index)
            index &-= 1
        }
        var node = symbols
        mergedCount = 0
        while heapCount > 1 {
            let first = Int(heap[1] & 0xffff)
            heap[1] = heap[heapCount]
            heapCount &-= 1
            sift(1)
            let second = Int(heap[1] & 0xffff)
            merged[mergedCount] = UInt16(truncatingIfNeeded: first)
            merged[mergedCount &+ 1] = UInt16(truncatingIfNeeded: second)
            mergedCount &+= 2
            frequencies[node] = frequencies[first] &+ frequencies[second]
            depths[node] = max(depths[first], depths[second]) &+ 1
            parents[first] = UInt16(truncatingIfNeeded: node)
            parents[second] = UInt16(truncatingIfNeeded: node)
            heap[1] = key(node)
            sift(1)
            node &+= 1
        }
        // The root, which no merge has taken, is the last node.
        levels[node &- 1] = 0
    }

    /// Moves the entry at `index` down to where neither child is smaller.
    @inline(__always)
    private func sift(_ index: Int) {
        let entry = heap[index]
        var hole = index
        var child = 2 &* hole
        while child <= heapCount {
            if child < heapCount, heap[child &+ 1] &>> 16 <= heap[child] &>> 16 { child &+= 1 }
            if entry &>> 16 <= heap[child] &>> 16 { break }
            heap[hole] = heap[child]
            hole = child
            child = 2 &* hole
        }
        heap[hole] = entry
    }

    private mutating func assignLengths() {
        var counts = InlineArray<17, Int>(repeating: 0)
        var overflow = 0
        var index = mergedCount &- 1
        while index >= 0 {
            let node = Int(merged[index])
            index &-= 1
            var level = Int(levels[Int(parents[node])]) &+ 1
            if level > longest {
                level = longest
                overflow &+= 1
            }
            levels[node] = UInt8(truncatingIfNeeded: level)
            guard node < symbols else { continue }
            counts[level] &+= 1
            lengths[node] = UInt8(truncatingIfNeeded: level)
            bits &+= Int(frequencies[node]) &* level
        }
        if overflow > 0 { shorten(overflow, &counts) }
        assignCodes(counts)
    }

    /// Brings codes that were cut to the longest length back into a complete code.
    private mutating func shorten(_ overflow: Int, _ counts: inout InlineArray<17, Int>) {
        var overflow = overflow
        while overflow > 0 {
            var level = longest - 1
            while counts[level] == 0 { level -= 1 }
            counts[level] -= 1
            counts[level + 1] += 2
            counts[longest] -= 1
            overflow -= 2
        }
        var index = 0
        for level in (1...longest).reversed() {
            var left = counts[level]
            while left > 0, index < mergedCount {
                let node = Int(merged[index])
                index += 1
                guard node < symbols else { continue }
                bits += (level - Int(lengths[node])) * Int(frequencies[node])
                lengths[node] = UInt8(level)
                left -= 1
            }
        }
    }

    private func assignCodes(_ counts: InlineArray<17, Int>) {
        var next = InlineArray<17, Int>(repeating: 0)
        for length in 1...longest { next[length] = (next[length - 1] + counts[length - 1]) * 2 }
        for symbol in 0...last {
            let length = Int(lengths[symbol])
            guard length > 0 else { continue }
            codes[symbol] = DeflateFormat.reversed(next[length], length)
            next[length] &+= 1
        }
    }
}
