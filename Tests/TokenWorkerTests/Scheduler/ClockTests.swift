// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import Testing
import TokenMessages

@testable import TokenWorker

@Suite("Clocks that are set")
struct ClockTests {
    @Test(arguments: [60.0, -60.0, 600, -600])
    func aStepIsSaidAndNothingIsLost(_ seconds: Double) throws {
        let bench = try SchedulerBench()
        let lease = try bench.issue()
        bench.advance(1)
        _ = bench.turn()
        _ = bench.events()
        bench.setClock(by: seconds)
        _ = bench.turn()
        let steps = bench.events().compactMap { event in
            if case .clockStepped(let milliseconds) = event { milliseconds } else { nil }
        }
        #expect(steps == [Int64(seconds * 1000)])
        bench.advance(to: Int64(lease.expiresAt - 30) * 1000)
        #expect(bench.turn().count == 1)
    }

    @Test func aClockSetBackAfterAClaimDropsNothing() throws {
        let bench = try SchedulerBench()
        let lease = try bench.issue()
        bench.advance(to: Int64(lease.expiresAt - 30) * 1000)
        let sent = bench.turn()
        bench.setClock(by: -600)
        #expect(bench.settle(sent).isEmpty)
        bench.advance(to: Int64(lease.expiresAt) * 1000)
        #expect(bench.turn().map(\.notice.kind) == [.expired])
    }

    @Test func smallDriftIsNoStep() {
        var watch = ClockWatch()
        let start = ContinuousClock.now
        #expect(watch.read(0, at: start) == nil)
        #expect(watch.read(1900, at: start.advanced(by: .seconds(1))) == nil)
        #expect(watch.read(3901, at: start.advanced(by: .seconds(2))) == 1001)
        #expect(watch.read(4901, at: start.advanced(by: .seconds(3))) == nil)
        #expect(watch.read(3900, at: start.advanced(by: .seconds(3))) == -1001)
    }
}
