// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What can be said of every Huffman tree over some frequencies without building one.
///
/// Huffman's method merges the two lightest nodes until one is left. Ties can be broken in many ways, but the weights
/// that arise do not depend on them. So all nodes of one weight are treated together, as a class: walking up the
/// weights gives the exact cost, which all these trees share, and walking down again, from the root, gives bounds for
/// how many nodes of each class lie at most how deep.
struct WeightClasses: ~Copyable {
    /// The largest sum of frequencies.
    ///
    /// A tree deeper than 13 needs at least 987.
    static let largestSum = 986
    /// Counts are bytes.
    private static let largestClass = 255

    /// The sum over all leaves of weight times depth.
    private(set) var cost = 0
    /// At least this many leaves lie at this depth or above it.
    private(set) var least = Depths()
    /// At most this many leaves lie at this depth or above it.
    private(set) var most = Depths()
    /// How many leaves were added.
    private(set) var leafCount = 0

    private let leaves = Table<1_024, UInt8>(repeating: 0)
    private let inner = Table<1_024, UInt8>(repeating: 0)
    private let present = Table<16, UInt64>(repeating: 0)
    private let visited = Table<1_024, UInt16>(repeating: 0)
    private let merges = Table<2_048, Merge>(repeating: Merge(first: 0, second: 0, count: 0))
    private let lower = Table<1_024, Depths>(repeating: Depths())
    private let upper = Table<1_024, Depths>(repeating: Depths())
    /// For each weight, 255 at the depths at which one of its leaves may lie.
    private let possible = Table<1_024, Depths>(repeating: Depths())

    /// Some pairs of one class and another, or of one class, become nodes of the weight of both.
    private struct Merge: BitwiseCopyable {
        let first: UInt16
        let second: UInt16
        let count: UInt16

        var result: Int {
            Int(first) &+ Int(second)
        }
    }

    init() {}

    // No table is changed by `+=` here: in a type that cannot be copied, the compiler of Swift 6.3 then breaks down
    // when it builds for the thread sanitizer.

    /// Adds a leaf.
    @inline(__always)
    mutating func add(_ weight: Int) {
        leaves[weight] = leaves[weight] &+ 1
        present[weight &>> 6] = present[weight &>> 6] | 1 &<< UInt64(weight & 63)
        leafCount &+= 1
    }

    /// The depths at which a leaf of `weight` may lie, as 255 in each.
    @inline(__always)
    func possibleDepths(_ weight: Int) -> Depths {
        possible[weight]
    }

    /// Finds cost and bounds for the leaves that were added, at least two, and forgets them.
    ///
    /// - Returns: Whether there are any; not when a class has too many nodes to count.
    mutating func solve() -> Bool {
        cost = 0
        least = Depths()
        most = Depths()
        guard let (classCount, mergeCount) = ascend() else { return false }
        descend(mergeCount)
        for index in 0..<classCount {
            let weight = Int(visited[index])
            settle(weight)
            leaves[weight] = 0
            inner[weight] = 0
        }
        leafCount = 0
        return true
    }

    /// Walks up the weights and merges each class; returns how many classes and merges there are.
    private mutating func ascend() -> (classes: Int, merges: Int)? {
        var classCount = 0
        var mergeCount = 0
        var carried = 0
        guard leafCount <= Self.largestClass else { return giveUp() }
        for word in 0..<16 {
            while present[word] != 0 {
                let bits = present[word]
                present[word] = bits & (bits &- 1)
                let weight = word &<< 6 | bits.trailingZeroBitCount
                visited[classCount] = UInt16(truncatingIfNeeded: weight)
                classCount &+= 1
                var nodes = Int(leaves[weight]) &+ Int(inner[weight])
                guard nodes <= Self.largestClass else { return giveUp() }
                lower[weight] = Depths()
                upper[weight] = Depths()
                if carried != 0 {
                    merge(carried, weight, 1, &mergeCount)
                    carried = 0
                    nodes &-= 1
                }
                if nodes >= 2 { merge(weight, weight, nodes &>> 1, &mergeCount) }
                if nodes & 1 != 0 { carried = weight }
            }
        }
        lower[carried] = Depths(repeating: 1)
        upper[carried] = Depths(repeating: 1)
        return (classCount, mergeCount)
    }

    /// Forgets the leaves of a tree that is too large.
    private mutating func giveUp() -> (classes: Int, merges: Int)? {
        leaves.fill(with: 0)
        inner.fill(with: 0)
        present.fill(with: 0)
        leafCount = 0
        return nil
    }

    @inline(__always)
    private mutating func merge(_ first: Int, _ second: Int, _ count: Int, _ mergeCount: inout Int) {
        let weight = first &+ second
        merges[mergeCount] = Merge(
            first: UInt16(truncatingIfNeeded: first), second: UInt16(truncatingIfNeeded: second),
            count: UInt16(truncatingIfNeeded: count))
        mergeCount &+= 1
        // Fewer than 256 leaves have fewer than 256 inner nodes.
        inner[weight] = inner[weight] &+ UInt8(truncatingIfNeeded: count)
        present[weight &>> 6] = present[weight &>> 6] | 1 &<< UInt64(weight & 63)
        cost &+= weight &* count
    }

    /// Undoes the merges from the root down: children lie one level below their parents.
    private mutating func descend(_ mergeCount: Int) {
        var index = mergeCount &- 1
        while index >= 0 {
            let merge = merges[index]
            index &-= 1
            let result = merge.result
            let (first, second) = (Int(merge.first), Int(merge.second))
            let count = UInt8(truncatingIfNeeded: merge.count)
            // Of the class's nodes that lie so high, as many as possible may be leaves, or inner nodes of other merges.
            let least = lower[result].excess(over: leaves[result]).excess(over: inner[result] &- count).deeper
            let most = upper[result].limited(to: count).deeper
            lower[first] = lower[first] &+ least
            upper[first] = upper[first] &+ most
            lower[second] = lower[second] &+ least
            upper[second] = upper[second] &+ most
        }
    }

    /// Adds the leaves of one class to the bounds of the whole tree.
    private mutating func settle(_ weight: Int) {
        let count = leaves[weight]
        guard count != 0 else { return }
        let most = upper[weight].limited(to: count)
        let least = lower[weight].excess(over: inner[weight])
        self.most &+= most
        self.least &+= least
        // A leaf may lie where some can be so high, and where not all must be higher.
        let all = Depths(repeating: count)
        let reached = Depths(repeating: 255).replacing(with: 0, where: most .== Depths())
        possible[weight] = reached.replacing(with: 0, where: least.deeper .>= all)
    }
}
