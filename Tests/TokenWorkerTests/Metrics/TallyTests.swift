// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenWorker

@Suite struct TallyTests {
    @Test func countsAsADictionaryDoes() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            var tally = Tally<Int>()
            var other = Tally([1, 2, 3])
            var expected: [Int: UInt64] = [1: 0, 2: 0, 3: 0]
            for _ in 0..<200 {
                // Small numbers come often.
                let label = Int.random(in: 0...Int.random(in: 0...20, using: &random), using: &random)
                let times = UInt64.random(in: 1...3, using: &random)
                expected[label, default: 0] += times
                if Bool.random(using: &random) { tally.add(label, times) } else { other.add(label, times) }
            }
            tally.add(other)
            #expect(Set(tally.entries.map(\.label)).count == tally.entries.count)
            #expect(Dictionary(tally.entries.map { ($0.label, $0.count) }, uniquingKeysWith: +) == expected)
            #expect(tally.total == expected.values.reduce(0, +))
        }
    }

    @Test func resetForgets() {
        var tally = Tally(["a"])
        tally.add("b", 5)
        #expect(tally["b"] == 5 && tally["a"] == 0 && tally["c"] == 0)
        tally.reset()
        #expect(tally.entries.isEmpty)
    }

    @Test func histogramsAddUp() {
        var first = Histogram([1, 2])
        var second = Histogram([1, 2])
        first.observe(1, times: 3)
        second.observe(1.5)
        second.observe(100, times: 2)
        first.add(second)
        #expect(first.counts == [3, 1, 2] && first.sum == 204.5 && first.count == 6)
        first.reset()
        #expect(first == Histogram([1, 2]))
    }
}
