// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import AgoraToken

/// What is said of all Huffman trees must hold for the one that zlib builds.
@Suite struct WeightClassesTests {
    @Test func `Cost is exact, and every code length lies within its bounds`() {
        var random = SplitMix64(state: 21)
        var classes = WeightClasses()
        var solved = 0
        for round in 0..<1_500 {
            let frequencies = frequencies(round, &random)
            for frequency in frequencies where frequency > 0 { classes.add(frequency) }
            guard classes.solve() else { continue }
            solved += 1
            var tree = HuffmanTree(symbols: DeflateFormat.literals, longest: 15)
            tree.build { frequencies[$0] }
            let cost = classes.cost
            #expect(cost == tree.bits)
            for depth in 0..<16 {
                let leaves = frequencies.indices.count { tree.lengths[$0] > 0 && tree.lengths[$0] <= depth }
                let bounds = classes.least[depth]...classes.most[depth]
                #expect(bounds.contains(UInt8(leaves)), "depth \(depth)")
            }
            for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
                let possible = classes.possibleDepths(frequency)
                #expect(possible[Int(tree.lengths[symbol])] == 255, "length \(tree.lengths[symbol])")
            }
        }
        #expect(solved > 1_400)
    }

    @Test func `An alphabet with more leaves than can be counted is left alone, and the next one is not`() {
        var classes = WeightClasses()
        for _ in 0..<256 { classes.add(1) }
        let isSolved = classes.solve()
        #expect(!isSolved)
        classes.add(3)
        classes.add(4)
        let isSolvedNext = classes.solve()
        #expect(isSolvedNext)
        let cost = classes.cost
        #expect(cost == 7)
    }

    /// Frequencies with a sum of at most 986, of many shapes, at least two of them not zero.
    private func frequencies(_ round: Int, _ random: inout SplitMix64) -> [Int] {
        var frequencies = Array(repeating: 0, count: DeflateFormat.literals)
        let used = Int.random(in: 2...(round % 3 == 0 ? 255 : 60), using: &random)
        var left = WeightClasses.largestSum - used
        var fibonacci = (1, 1)
        for symbol in Array(frequencies.indices).shuffled(using: &random).prefix(used) {
            let more =
                switch round % 4 {
                case 0: 0
                case 1: Int.random(in: 0...3, using: &random)
                case 2: fibonacci.0 - 1
                default: Int.random(in: 0...10, using: &random) * Int.random(in: 0...10, using: &random)
                }
            fibonacci = (fibonacci.1, min(fibonacci.0 + fibonacci.1, 400))
            frequencies[symbol] = 1 + min(more, left)
            left -= min(more, left)
        }
        return frequencies
    }
}
