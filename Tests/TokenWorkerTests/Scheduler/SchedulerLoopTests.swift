// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import Testing
import TokenMessages

@testable import TokenWorker

@Suite("Notices come when they are due")
struct SchedulerLoopTests {
    @Test func aLeaseIsAnnouncedBeforeItsEndAndAtIt() throws {
        let bench = try SchedulerBench()
        let lease = try bench.issue(expire: 3600)
        let end = Int64(lease.expiresAt) * 1000
        bench.advance(to: end - 31_100)
        #expect(bench.turn().isEmpty)
        bench.advance(to: end - 30_000)
        let first = bench.turn()
        #expect(first.map(\.notice.id) == ["\(lease.id)/\(lease.generation)/will_expire/\(lease.expiresAt - 30)"])
        #expect(first[0].notice.expiresIn == 30)
        #expect(first[0].notice.privileges.count == 4)
        #expect(bench.settle(first).isEmpty)
        bench.advance(to: end - 1)
        #expect(bench.turn().isEmpty)
        bench.advance(to: end)
        let second = bench.turn()
        #expect(second.map(\.notice.id) == ["\(lease.id)/\(lease.generation)/expired/\(lease.expiresAt)"])
        #expect(second[0].notice.missed.isEmpty)
        #expect(bench.settle(second).isEmpty)
        #expect(try bench.store.counts().total == 0)
    }

    @Test func aStepIsMarkedOnlyWhenTheBrokerHasIt() throws {
        // A scheduler that marked first would have lost this notice with the process.
        let bench = try SchedulerBench()
        let lease = try bench.issue()
        bench.advance(to: Int64(lease.expiresAt - 30) * 1000)
        let sent = bench.turn()
        #expect(sent.count == 1)
        bench.killAndRestart()
        bench.advance(9)
        #expect(bench.turn().isEmpty)
        bench.advance(1.1)
        let again = bench.turn()
        #expect(again.map(\.notice.id) == sent.map(\.notice.id))
        #expect(again.map(\.notice.attempt) == [2])
    }

    @Test func aRenewalWinsOverANoticeInFlight() throws {
        // Without the generation in the mark, the old notice's mark would advance the new generation's first step.
        let bench = try SchedulerBench()
        let old = try bench.issue()
        bench.advance(to: Int64(old.expiresAt - 30) * 1000)
        let stale = bench.turn()
        let new = try bench.renew(old, message: "r1")
        let told = bench.settle(stale)
        #expect(told.map(\.notice.kind) == [.renewed] && told.map(\.notice.generation) == [new.generation])
        #expect(bench.settle(told).isEmpty)
        #expect(bench.events().contains { if case .movedOn(1) = $0 { true } else { false } })
        bench.advance(to: Int64(old.expiresAt) * 1000)
        #expect(bench.turn().isEmpty)
        bench.advance(to: Int64(new.expiresAt - 30) * 1000)
        #expect(bench.turn().map(\.notice.generation) == [new.generation])
    }

    @Test func twentyRenewalsHaveTwentyNotices() throws {
        let bench = try SchedulerBench()
        var lease = try bench.issue(expire: 60)
        var ids: Set<String> = []
        for round in 1...20 {
            bench.advance(to: Int64(lease.expiresAt - 30) * 1000)
            let sent = bench.turn()
            #expect(sent.map(\.notice.generation) == [lease.generation])
            ids.formUnion(sent.map(\.notice.id))
            #expect(bench.settle(sent).isEmpty)
            lease = try bench.renew(lease, message: "r\(round)")
        }
        #expect(ids.count == 20)
    }

    @Test func aCancelledLeaseSaysSoAndNothingMore() throws {
        let bench = try SchedulerBench()
        let lease = try bench.issue()
        bench.advance(to: Int64(lease.expiresAt - 30) * 1000)
        let sent = bench.turn()
        let tombstone = try #require(try bench.cancel(lease))
        let told = bench.settle(sent)
        #expect(told.map(\.notice.kind) == [.cancelled])
        #expect(told.map(\.notice.generation) == [tombstone.generation])
        #expect(bench.settle(told).isEmpty)
        bench.advance(to: Int64(lease.expiresAt) * 1000 - 1)
        #expect(bench.turn().isEmpty)
        #expect(try bench.store.counts().cancelled == 1)
        // The tombstone goes with the token's own end.
        bench.advance(0.001)
        #expect(bench.turn().isEmpty)
        #expect(bench.turn().isEmpty)
        #expect(try bench.store.counts().total == 0)
    }

    @Test func aCancellationIsToldHoweverLate() throws {
        let bench = try SchedulerBench()
        let lease = try bench.issue(expire: 60)
        _ = bench.turn(.init(brokerIsReady: false))
        try bench.cancel(lease)
        bench.advance(3600)
        let told = bench.turn(.init(brokerIsReady: true))
        #expect(told.map(\.notice.kind) == [.cancelled])
        #expect(told[0].notice.missed.isEmpty)
        #expect(bench.settle(told).isEmpty)
        #expect(try bench.store.counts().total == 0)
    }

    @Test func lateStepsAreNamedInTheLastOne() throws {
        let bench = try SchedulerBench()
        let lease = try bench.issue(leads: [300, 60, 30])
        _ = bench.turn(.init(brokerIsReady: false))
        bench.advance(to: Int64(lease.expiresAt - 50) * 1000)
        #expect(bench.turn().isEmpty)
        let late = bench.turn(.init(brokerIsReady: true))
        #expect(late.map(\.notice.plannedAt) == [lease.expiresAt - 60])
        #expect(late[0].notice.lateByMilliseconds == 10_000)
        #expect(late[0].notice.missed == [.init(kind: .willExpire, plannedAt: lease.expiresAt - 300)])
        #expect(bench.settle(late).isEmpty)
        _ = bench.turn(.init(brokerIsReady: false))
        bench.advance(3600)
        let last = bench.turn(.init(brokerIsReady: true))
        #expect(last.map(\.notice.kind) == [.expired])
        #expect(last[0].notice.missed == [.init(kind: .willExpire, plannedAt: lease.expiresAt - 30)])
        #expect(last[0].notice.expiresIn == 0)
    }

    @Test func whatFailsComesAgainAndCountsNoAttempt() throws {
        let bench = try SchedulerBench()
        let lease = try bench.issue()
        bench.advance(to: Int64(lease.expiresAt - 30) * 1000)
        var sent = bench.turn()
        for _ in 0..<20 {
            #expect(sent.map(\.notice.attempt) == [1])
            sent = bench.settle(sent, .failed)
            #expect(sent.isEmpty)
            bench.advance(10)
            sent = bench.turn()
        }
        #expect(sent.map(\.notice.generation) == [lease.generation])
    }

    @Test func aNoticeThatCannotBeSentIsPassedOver() throws {
        let bench = try SchedulerBench()
        let lease = try bench.issue()
        bench.advance(to: Int64(lease.expiresAt - 30) * 1000)
        #expect(bench.settle(bench.turn(), .unsendable("too long")).isEmpty)
        bench.advance(20)
        #expect(bench.turn().isEmpty)
        bench.advance(to: Int64(lease.expiresAt) * 1000)
        #expect(bench.turn().map(\.notice.kind) == [.expired])
    }

    @Test func nothingIsClaimedWhileTheBrokerIsAway() throws {
        let bench = try SchedulerBench()
        let lease = try bench.issue()
        _ = bench.turn(.init(brokerIsReady: false))
        bench.advance(to: Int64(lease.expiresAt - 30) * 1000)
        for _ in 0..<10 {
            #expect(bench.turn().isEmpty)
            bench.advance(1)
        }
        #expect(bench.turn(.init(brokerIsReady: true)).map(\.notice.attempt) == [1])
    }

    @Test func aStepOverWhichWorkersDieIsPassedOver() throws {
        let bench = try SchedulerBench()
        let lease = try bench.issue()
        bench.advance(to: Int64(lease.expiresAt - 30) * 1000)
        // A lead of 30 s leaves no room for eleven claims of 10 s: the end of the lease is what kills here.
        bench.advance(30)
        for attempt in 1...10 {
            #expect(bench.turn().map(\.notice.attempt) == [attempt])
            bench.killAndRestart()
            bench.advance(10.1)
        }
        _ = bench.events()
        #expect(bench.turn().isEmpty)
        #expect(bench.events().contains { if case .poisonous = $0 { true } else { false } })
        #expect(bench.turn().isEmpty)
        #expect(try bench.store.counts().live == 0)
    }

    @Test func thousandsDueAtOnceGoOutInBatches() throws {
        let bench = try SchedulerBench(configuration: SchedulerConfiguration(batch: 50, mostInFlight: 100))
        var leases: [Lease] = []
        for uid in 1...300 { leases.append(try bench.issue(UInt32(uid), leads: [])) }
        bench.advance(to: Int64(leases[299].expiresAt) * 1000)
        var ids: Set<String> = []
        var turns = 0
        var sent = bench.turn()
        while !sent.isEmpty {
            #expect(sent.count <= 50)
            #expect(ids.isDisjoint(with: sent.map(\.notice.id)))
            ids.formUnion(sent.map(\.notice.id))
            sent = bench.settle(sent)
            turns += 1
        }
        #expect(ids.count == 300)
        #expect(turns == 6)
    }

    @Test func noMoreIsInFlightThanAllowed() throws {
        let bench = try SchedulerBench(configuration: SchedulerConfiguration(batch: 50, mostInFlight: 100))
        for uid in 1...300 { _ = try bench.issue(UInt32(uid), expire: 60, leads: []) }
        bench.advance(60)
        #expect(bench.turn().count == 50)
        #expect(bench.turn().count == 50)
        #expect(bench.turn().isEmpty)
    }

    @Test func aSilentBrokerGetsTheNoticeAgainBeforeTheClaimEnds() throws {
        let bench = try SchedulerBench()
        let lease = try bench.issue()
        bench.advance(to: Int64(lease.expiresAt - 30) * 1000)
        let sent = bench.turn()
        bench.advance(7.6)
        #expect(bench.turn().isEmpty)
        bench.advance(1)
        let again = bench.turn()
        #expect(again.map(\.notice.id) == sent.map(\.notice.id))
        #expect(again.map(\.notice.attempt) == [1])
        // The first copy's confirmation marks the step after all, and the second's is too late to.
        #expect(bench.settle(sent).isEmpty)
        #expect(bench.settle(again).isEmpty)
        bench.advance(to: Int64(lease.expiresAt) * 1000)
        #expect(bench.turn().map(\.notice.kind) == [.expired])
    }
}
