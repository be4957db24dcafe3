// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import Testing

@testable import TokenWorker

@Suite("How the scheduler paces itself")
struct SchedulerPaceTests {
    private let start = ContinuousClock.now

    @Test func oldStepsAreLookedForWhileThereAreSome() {
        var pace = SchedulerPace(limit: 500)
        #expect(pace.lanes(at: start) == [.fresh, .backlog])
        pace.claimed(500, lane: .backlog, at: start, spread: 0.5)
        #expect(pace.lanes(at: start) == [.fresh, .backlog])
        pace.claimed(0, lane: .backlog, at: start, spread: 0.5)
        #expect(pace.lanes(at: start.advanced(by: .seconds(4.9))) == [.fresh])
        #expect(pace.lanes(at: start.advanced(by: .seconds(5.1))) == [.fresh, .backlog])
    }

    @Test func aSlowStoreIsAskedForLess() {
        var pace = SchedulerPace(limit: 500)
        for _ in 0..<10 { pace.storeFailed() }
        #expect(pace.limit == SchedulerPace.leastLimit)
        for _ in 0..<10 { pace.claimed(1, lane: .fresh, at: start, spread: 0) }
        #expect(pace.limit == 500)
    }

    @Test func sleepIsNeverLong() {
        let pace = SchedulerPace(limit: 500)
        #expect(pace.sleep(untilNext: nil, foundSome: false, spread: 1) <= 0.31)
        #expect(pace.sleep(untilNext: 86_400_000, foundSome: false, spread: 1) <= 0.31)
        #expect(pace.sleep(untilNext: 7, foundSome: false, spread: 0.5) == 0.007)
        #expect(pace.sleep(untilNext: 1, foundSome: true, spread: 0.5) == SchedulerPace.shortestSleep)
        #expect(pace.sleep(untilNext: -5, foundSome: false, spread: 0.5) > 0)
    }

    @Test func retriesBackOffWithinTheVisibility() {
        var pace = SchedulerPace(limit: 500)
        pace.published(false)
        #expect(pace.retryDelay(visibility: 10, spread: 0.5) == 0.5)
        for _ in 0..<100 { pace.published(false) }
        #expect(pace.retryDelay(visibility: 10, spread: 0.5) == 10)
        pace.published(true)
        #expect(pace.retryDelay(visibility: 10, spread: 0.5) < 0.5)
    }
}
