// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import StoreFaults
import Testing
import TokenMessages

@testable import TokenWorker

@Suite("Faults at every point")
struct SchedulerFaultTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func nothingIsLost(_ seed: UInt64) throws {
        var simulation = try FaultSimulation(seed: seed)
        try simulation.run(ticks: 250)
        print(
            "seed \(seed): \(simulation.generations) generations, \(simulation.kills) kills, "
                + "\(simulation.delivered) notices, \(simulation.duplicates) of them again")
        #expect(simulation.faults == [])
        #expect(simulation.kills > 5)
        #expect(simulation.duplicates > 0)
    }

    @Test func markingBeforePublishingIsFoundOut() throws {
        var simulation = try FaultSimulation(seed: 1, wrap: WrappedDatabase.markingFirst)
        try simulation.run(ticks: 250)
        #expect(simulation.faults.contains { $0.hasPrefix("lost") })
    }

    @Test func aMarkWithoutGenerationIsFoundOut() throws {
        var simulation = try FaultSimulation(seed: 1, wrap: WrappedDatabase.withoutFence)
        try simulation.run(ticks: 250)
        #expect(simulation.faults.contains { $0.hasPrefix("lost") })
    }

    @Test func aPauseBetweenClaimAndPublishLeavesTheClaimToOthers() throws {
        let pause = Shared<Double>(0)
        let paused = Shared<(@Sendable (Double) -> Void)?>(nil)
        let bench = try SchedulerBench { database in
            WrappedDatabase(
                database: database,
                afterClaim: { _, claim throws(StoreError) in
                    if !claim.leases.isEmpty { paused.value?(pause.value) }
                })
        }
        let pausing = bench.pausing
        paused.change { $0 = pausing }
        let lease = try bench.issue()
        bench.advance(to: Int64(lease.expiresAt - 30) * 1000)
        pause.change { $0 = 5.1 }
        #expect(bench.turn().isEmpty)
        #expect(bench.events().contains { if case .dropped(1) = $0 { true } else { false } })
        bench.advance(5)
        pause.change { $0 = 4.9 }
        let sent = bench.turn()
        #expect(sent.map(\.notice.attempt) == [2])
        #expect(sent[0].notice.lateByMilliseconds >= 14_900)
    }

    @Test func aStoreThatIsAwayIsAskedAgainAndNothingIsLost() throws {
        let isAway = Shared(false)
        let bench = try SchedulerBench { WrappedDatabase(database: $0, isAway: { isAway.value }) }
        let lease = try bench.issue()
        bench.advance(to: Int64(lease.expiresAt - 30) * 1000)
        let sent = bench.turn()
        isAway.change { $0 = true }
        // The broker has it, and the store cannot be told.
        #expect(bench.settle(sent).isEmpty)
        for _ in 0..<100 {
            bench.advance(0.1)
            #expect(bench.turn().isEmpty)
        }
        let events = bench.events()
        #expect(events.count { if case .storeAway = $0 { true } else { false } } == 1)
        isAway.change { $0 = false }
        bench.advance(6)
        // Told late, but told: the notice does not come again.
        #expect(bench.turn().isEmpty)
        #expect(bench.events().contains { if case .storeBack = $0 { true } else { false } })
        bench.advance(to: Int64(lease.expiresAt) * 1000)
        #expect(bench.turn().map(\.notice.kind) == [.expired])
    }
}
