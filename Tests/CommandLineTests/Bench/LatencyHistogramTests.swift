// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import agora_token

@Suite struct LatencyHistogramTests {
    @Test func nothingHasNoLatency() {
        let empty = LatencyHistogram()
        #expect(empty.count == 0 && empty.maximum == 0 && empty.percentile(0.99) == 0)
    }

    /// Small values are kept exactly, so that these are the textbook percentiles.
    @Test func smallValuesAreExact() {
        var histogram = LatencyHistogram()
        for value in (1...50).shuffled() { histogram.add(UInt64(value)) }
        #expect(histogram.percentile(0.5) == 25)
        #expect(histogram.percentile(0.9) == 45)
        #expect(histogram.percentile(0.99) == 50)
        #expect(histogram.percentile(0) == 1)
        #expect(histogram.percentile(1) == 50)
    }

    /// Against the sorted values themselves, over the whole range of what can be measured.
    @Test func largeValuesAreWithinTwoPercentAndNeverTooLow() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let largest = UInt64(1) << UInt64.random(in: 6...40, using: &generator)
            let values = (0..<1000).map { _ in UInt64.random(in: 0...largest, using: &generator) }
            var histogram = LatencyHistogram()
            for value in values { histogram.add(value) }
            let sorted = values.sorted()
            #expect(histogram.count == 1000 && histogram.maximum == sorted[999])
            for (share, index) in [(0.5, 499), (0.9, 899), (0.99, 989), (1, 999)] {
                let found = histogram.percentile(share)
                #expect(found >= sorted[index] && Double(found) <= Double(sorted[index]) * 1.016 + 1)
            }
        }
    }

    @Test func absurdValuesCountAsTheLongest() {
        var histogram = LatencyHistogram()
        histogram.add(.max)
        histogram.add(1)
        #expect(histogram.maximum == .max && histogram.percentile(0.5) == 1)
        #expect(histogram.percentile(1) > 1 << 44)
    }
}
