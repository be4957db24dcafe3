// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Builds the Huffman codes of one alphabet exactly as zlib does, including how ties are broken and how codes that
/// come out too long are repaired.
struct HuffmanTree {
    /// The code length of each symbol in bits, 0 for one that does not occur.
    private(set) var lengths: [UInt8]
    /// The code of each symbol, the first bit to be sent lowest.
    private(set) var codes: [UInt16]
    /// The last symbol that has a code.
    private(set) var last = -1
    /// The sum over all symbols of frequency times length.
    private(set) var bits = 0

    private let symbols: Int
    private let longest: Int
    private var frequencies: [Int]
    private var parents: [Int]
    private var depths: [UInt8]
    /// Nodes by key, see `key(_:)`; the smallest is at index 1.
    private var heap: [UInt64] = []
    /// The nodes in the order in which they were merged.
    private var merged: [Int] = []

    /// Makes a builder for an alphabet of `symbols`, with codes of at most `longest` bits.
    init(symbols: Int, longest: Int) {
        self.symbols = symbols
        self.longest = longest
        lengths = Array(repeating: 0, count: symbols)
        codes = Array(repeating: 0, count: symbols)
        frequencies = Array(repeating: 0, count: 2 * symbols)
        parents = Array(repeating: 0, count: 2 * symbols)
        depths = Array(repeating: 0, count: 2 * symbols)
        heap.reserveCapacity(symbols + 1)
        merged.reserveCapacity(2 * symbols)
    }

    /// Builds the codes for symbols that occur as often as `frequency` says.
    mutating func build(_ frequency: (Int) -> Int) {
        plant(frequency)
        merge()
        assignLengths()
        assignCodes()
    }

    /// Orders nodes by frequency, then by depth; equal ones are equal.
    private func key(_ node: Int) -> UInt64 {
        UInt64(frequencies[node]) &<< 32 | UInt64(depths[node]) &<< 16 | UInt64(node)
    }

    private mutating func plant(_ frequency: (Int) -> Int) {
        heap.removeAll(keepingCapacity: true)
        heap.append(0)
        last = -1
        bits = 0
        for symbol in 0..<symbols {
            lengths[symbol] = 0
            depths[symbol] = 0
            frequencies[symbol] = frequency(symbol)
            guard frequencies[symbol] > 0 else { continue }
            last = symbol
            heap.append(key(symbol))
        }
        // Two codes at least, because decoders want them; those that do not occur cost nothing.
        while heap.count < 3 {
            let symbol = last < 2 ? last + 1 : 0
            last = max(last, symbol)
            frequencies[symbol] = 1
            bits -= 1
            heap.append(key(symbol))
        }
    }

    private mutating func merge() {
        merged.removeAll(keepingCapacity: true)
        var index = (heap.count - 1) / 2
        while index >= 1 {
            sift(index)
            index -= 1
        }
        var node = symbols
        while heap.count > 2 {
            let first = Int(heap[1] & 0xffff)
            let end = heap.removeLast()
            heap[1] = end
            sift(1)
            let second = Int(heap[1] & 0xffff)
            merged.append(first)
            merged.append(second)
            frequencies[node] = frequencies[first] + frequencies[second]
            depths[node] = max(depths[first], depths[second]) + 1
            parents[first] = node
            parents[second] = node
            heap[1] = key(node)
            sift(1)
            node += 1
        }
        merged.append(Int(heap[1] & 0xffff))
    }

    /// Moves the entry at `index` down to where neither child is smaller.
    private mutating func sift(_ index: Int) {
        let entry = heap[index]
        var hole = index
        var child = 2 * hole
        while child < heap.count {
            if child + 1 < heap.count, heap[child + 1] &>> 16 <= heap[child] &>> 16 { child += 1 }
            if entry &>> 16 <= heap[child] &>> 16 { break }
            heap[hole] = heap[child]
            hole = child
            child = 2 * hole
        }
        heap[hole] = entry
    }

    private mutating func assignLengths() {
        var counts = Array(repeating: 0, count: longest + 2)
        var levels = Array(repeating: 0, count: 2 * symbols)
        var overflow = 0
        for node in merged.dropLast().reversed() {
            var level = levels[parents[node]] + 1
            if level > longest {
                level = longest
                overflow += 1
            }
            levels[node] = level
            guard node < symbols else { continue }
            counts[level] += 1
            lengths[node] = UInt8(level)
            bits += frequencies[node] * level
        }
        if overflow > 0 { shorten(overflow, &counts) }
    }

    /// Brings codes that were cut to the longest length back into a complete code.
    private mutating func shorten(_ overflow: Int, _ counts: inout [Int]) {
        var overflow = overflow
        while overflow > 0 {
            var level = longest - 1
            while counts[level] == 0 { level -= 1 }
            counts[level] -= 1
            counts[level + 1] += 2
            counts[longest] -= 1
            overflow -= 2
        }
        var nodes = merged.makeIterator()
        var level = longest
        while level > 0 {
            var left = counts[level]
            while left > 0, let node = nodes.next() {
                guard node < symbols else { continue }
                bits += (level - Int(lengths[node])) * frequencies[node]
                lengths[node] = UInt8(level)
                left -= 1
            }
            level -= 1
        }
    }

    private mutating func assignCodes() {
        var counts = Array(repeating: 0, count: longest + 1)
        for symbol in 0...last { counts[Int(lengths[symbol])] += 1 }
        counts[0] = 0
        var next = Array(repeating: 0, count: longest + 1)
        for length in 1...longest { next[length] = (next[length - 1] + counts[length - 1]) * 2 }
        for symbol in 0...last where lengths[symbol] > 0 {
            let length = Int(lengths[symbol])
            codes[symbol] = DeflateFormat.reversed(next[length], length)
            next[length] += 1
        }
    }
}
