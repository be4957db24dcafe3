// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import AgoraToken

/// The bound for a dynamic block must never exceed what zlib's trees cost.
@Suite struct DynamicBoundTests {
    @Test func `The bound is below the real size, and close for tokens`() throws {
        var generator = PayloadGenerator(seed: 31)
        var bound = DynamicBound()
        var finder = MatchFinder()
        var trees = DynamicTrees()
        let input = Bytes()
        var found = 0
        var decided = 0
        for _ in 0..<2_000 {
            let payload = generator.next()
            guard !payload.isEmpty, payload.count < WeightClasses.largestSum else { continue }
            input.store(payload.span, at: 0)
            var sink = FixedSink(
                symbols: Table(repeating: Symbol(literal: 0)), statistics: BlockStatistics(), codes: FixedCodes(),
                output: Bytes(), at: 0)
            finder.run(input, count: payload.count, into: &sink)
            let fixedBytes = (sink.finish() + 10) >> 3
            let statistics = sink.statistics
            let real = trees.build(statistics)
            guard let bits = bound.bits(statistics, symbols: sink.count, matches: sink.matches) else { continue }
            found += 1
            #expect(bits <= real)
            if (bits + 10) >> 3 >= min(fixedBytes, payload.count + 4) { decided += 1 }
        }
        #expect(found > 1_000)
        // A bound that decides nothing would be safe, and slow.
        #expect(decided > found / 2)
    }
}
