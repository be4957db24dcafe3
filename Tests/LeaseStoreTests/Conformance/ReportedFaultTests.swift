// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import LeaseStore

/// What users of comparable systems found wrong with timers, tried on a store whose clock the test moves.
@Suite("Faults of other schedulers")
struct ReportedFaultTests {
    private let alice = Orders()

    /// What is due now, marked as told.
    private func tell(_ store: any LeaseStore) throws -> [ClaimedLease] {
        let claimed = try store.claim(limit: 10, visibility: 10, lane: .fresh).leases
        _ = try store.complete(claimed.map { StepMark($0, published: $0.step) })
        return claimed
    }

    private func kinds(_ claimed: [ClaimedLease]) -> [Step.Kind] {
        claimed.map { $0.lease.schedule.steps[$0.step].kind }
    }

    @Test(
        "B14: each generation is warned of before its own end, and nothing of an older one comes",
        arguments: StoreKind.allCases)
    func everyGenerationIsWarnedOf(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        var lease = try #require(try store.commit(alice.issue("m1", alice.grant(expire: 120), leads: [30])).granted)
        for (round, lifetime) in ([120, 240, 120, 300] as [UInt32]).enumerated() {
            let untilWarning = Double(lease.expiresAt - 30 - bench.clock.second)
            // Jitter is a second at most.
            bench.clock.advance(seconds: untilWarning - 2)
            #expect(try tell(store).isEmpty, "round \(round)")
            bench.clock.advance(seconds: 2)
            let warning = try tell(store)
            #expect(kinds(warning) == [.willExpire] && warning.first?.lease.generation == lease.generation)
            let next = try store.commit(alice.renew("r\(round)", .key(lease.key), expire: lifetime)).granted
            lease = try #require(next)
            #expect(lease.expiresAt == bench.clock.second + lifetime)
            #expect(kinds(try tell(store)) == [.renewed])
            // Past the end of the generation before.
            bench.clock.advance(seconds: 30)
            #expect(try tell(store).isEmpty, "round \(round)")
        }
    }

    @Test("B34: mixed lifetimes are due in the order of their ends", arguments: StoreKind.allCases)
    func mixedLifetimes(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        for (user, lifetime) in [(1, 3600), (2, 180), (3, 30)] as [(UInt32, UInt32)] {
            let grant = alice.grant(uid: user, expire: lifetime)
            #expect(try store.commit(alice.issue("m\(user)", grant, leads: [])).granted != nil)
        }
        var passed = 0.0
        for (user, end) in [(3, 30), (2, 180), (1, 3600)] as [(UInt32, Double)] {
            bench.clock.advance(seconds: end - passed - 1)
            #expect(try tell(store).isEmpty)
            bench.clock.advance(seconds: 1)
            passed = end
            #expect(try tell(store).map(\.lease.grant.scope.user) == [.uid(user)])
        }
    }
}
