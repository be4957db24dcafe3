// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenWorker

@Suite struct RateBucketsTests {
    private let rate = Rate(perSecond: 2, burst: 3)
    private let ann = RateBuckets.Name(rule: "r", caller: "u-ann")
    private let start: Int64 = 1_790_000_000_000

    @Test func aBurstAndThenTheRate() {
        var buckets = RateBuckets()
        let atOnce = (0..<4).map { _ in buckets.take(ann, rate, at: start) }
        #expect(atOnce == [nil, nil, nil, 500])
        #expect(buckets.take(ann, rate, at: start + 499) == 1)
        #expect(buckets.take(ann, rate, at: start + 500) == nil)
        #expect(buckets.take(ann, rate, at: start + 500) == 500)
        // However long nobody asks, no more than the burst is there.
        let later = (0..<4).map { _ in buckets.take(ann, rate, at: start + 3_600_000) }
        #expect(later == [nil, nil, nil, 500])
    }

    /// Over any time nobody gets more than the burst and what has come in since, however the asking is spread.
    @Test func neverMoreThanTheRate() {
        var buckets = RateBuckets()
        var generator = SystemRandomNumberGenerator()
        let rate = Rate(perSecond: 10, burst: 5)
        var now = start
        var granted = 0
        for _ in 0..<5000 {
            now += Int64.random(in: 0...80, using: &generator)
            if buckets.take(ann, rate, at: now) == nil { granted += 1 }
            #expect(Double(granted) <= 5 + Double(now - start) / 100 + 0.001)
        }
        #expect(Double(granted) > Double(now - start) / 100 * 0.95)
    }

    @Test func eachCallerAndEachRuleHasItsOwn() {
        var buckets = RateBuckets()
        let one = Rate(perSecond: 0.001, burst: 1)
        #expect(buckets.take(ann, one, at: start) == nil)
        #expect(buckets.take(ann, one, at: start) == 1_000_000)
        #expect(buckets.take(.init(rule: "r", caller: "u-ben"), one, at: start) == nil)
        #expect(buckets.take(.init(rule: "s", caller: "u-ann"), one, at: start) == nil)
    }

    @Test func aClockThatIsSetBackCostsNothing() {
        var buckets = RateBuckets()
        for _ in 0..<3 { _ = buckets.take(ann, rate, at: start) }
        #expect(buckets.take(ann, rate, at: start - 3_600_000) == 500)
        #expect(buckets.take(ann, rate, at: start - 3_600_000 + 500) == nil)
    }

    @Test func aBatchThatIsTriedAgainPaysOnce() {
        var buckets = RateBuckets()
        buckets.begin(again: false)
        #expect((0..<3).map { _ in buckets.take(ann, rate, at: start) } == [nil, nil, nil])
        buckets.begin(again: true)
        #expect((0..<4).map { _ in buckets.take(ann, rate, at: start) } == [nil, nil, nil, 500])
        // The next batch is another one.
        buckets.begin(again: false)
        #expect(buckets.take(ann, rate, at: start) == 500)
        buckets.begin(again: true)
        #expect(buckets.take(ann, rate, at: start) == 500)
    }

    /// The store may ask about one item more than once.
    @Test func anItemPaysOnce() {
        var buckets = RateBuckets()
        buckets.begin(again: false)
        #expect((0..<5).map { _ in buckets.take(ann, rate, at: start, for: 7) } == [nil, nil, nil, nil, nil])
        #expect((0..<3).map { buckets.take(ann, rate, at: start, for: $0) } == [nil, nil, 500])
    }

    /// Names come from strangers: they may not fill the memory, nor get anything by being many.
    @Test func strangersShareWhatIsLeft() {
        var buckets = RateBuckets(most: 100)
        let one = Rate(perSecond: 1, burst: 1)
        let granted = (0..<5000).count { buckets.take(.init(rule: "r", caller: "a-\($0)"), one, at: start) == nil }
        #expect(granted == 101)
        #expect(buckets.count == 101)
        // Those that were there keep theirs, and room comes with time.
        #expect(buckets.take(.init(rule: "r", caller: "a-5"), one, at: start + 1000) == nil)
        #expect(buckets.take(.init(rule: "r", caller: "a-new"), one, at: start + 1000) == nil)
        #expect(buckets.count == 2)
    }
}
