// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenWorker

/// How often leases are counted, whoever asks how often.
@Suite struct CensusPaceTests {
    private let start = ContinuousClock.now

    private func later(_ seconds: Double) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test func theFirstCountIsDueAtOnce() {
        #expect(CensusPace(at: start).isDue(at: start))
        #expect(!CensusPace(at: start).isDue(at: later(-0.001)))
    }

    @Test(
        "A count rests ten seconds, and fifty times as long as it took",
        arguments: [(0, 10), (0.1, 10), (0.2, 10), (0.5, 25), (3, 150), (60, 3000)])
    func rests(_ took: Double, _ rest: Double) {
        var pace = CensusPace(at: start)
        pace.counted(from: later(100), to: later(100 + took))
        #expect(!pace.isDue(at: later(100 + took + rest - 0.001)))
        #expect(pace.isDue(at: later(100 + took + rest + 0.001)))
    }

    @Test("However often somebody asks, it counts for two percent of the time at most", arguments: [0.001, 0.3, 4])
    func takesLittleOfAProcessor(_ took: Double) {
        var pace = CensusPace(at: start)
        var (now, busy, counts) = (0.0, 0.0, 0)
        while now < 3600 {
            if pace.isDue(at: later(now)) {
                pace.counted(from: later(now), to: later(now + took))
                (now, busy, counts) = (now + took, busy + took, counts + 1)
            }
            now += 0.05
        }
        #expect(counts > 1 && counts <= 361)
        #expect(busy <= 0.02 * 3600 + took)
    }

    @Test("A quick count is renewed before it is too old to be given")
    func isGivenUntilTheNext() {
        #expect(CensusPace.isValid(start, at: later(119.9)))
        #expect(!CensusPace.isValid(start, at: later(120)))
        var pace = CensusPace(at: start)
        pace.counted(from: start, to: later(1))
        #expect(CensusPace.isValid(later(1), at: pace.next))
    }
}
