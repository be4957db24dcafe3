// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import LeaseStore

/// How many leases there are, as metrics tell it.
@Suite("The census of leases")
struct CensusTests {
    private let alice = Orders()

    @Test("A small store is counted exactly, by state and by end", arguments: StoreKind.allCases)
    func exact(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try #require(bench.open() as? any LeaseListing)
        #expect(try store.census(of: 10) == census(live: 0, ending: [0, 0, 0, 0, 0, 0]))
        for (user, expire) in [(1, 60), (2, 61), (3, 300), (4, 3600), (5, 86_400), (6, 900)] as [(UInt32, UInt32)] {
            _ = try store.commit(alice.issue("m", alice.grant(uid: user, expire: expire)))
        }
        _ = try store.commit(alice.cancel("c", .key(alice.key(alice.grant(uid: 6)))))
        #expect(try store.census(of: 10) == census(live: 5, cancelled: 1, ending: [1, 3, 3, 4, 4, 5]))
    }

    @Test("What nobody has told is overdue, and for how long", arguments: StoreKind.allCases)
    func overdue(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try #require(bench.open() as? any LeaseListing)
        _ = try store.commit(alice.issue("m", alice.grant(uid: 1, expire: 100), leads: []))
        _ = try store.commit(alice.issue("m", alice.grant(uid: 2, expire: 1000)))
        bench.clock.advance(seconds: 110)
        let census = try store.census(of: 10)
        #expect(census.live == 1 && census.ended == 1 && census.overdue == 1)
        #expect((9...10).contains(census.overdueBy), "\(census.overdueBy)")
    }

    @Test("Of many leases a sample tells how many there are", arguments: StoreKind.allCases)
    func estimate(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try #require(bench.open() as? any LeaseListing)
        let orders = (1...4000).map { alice.issue("m", alice.grant(uid: $0, expire: $0 % 4 == 0 ? 60 : 7200)) }
        for start in stride(from: 0, to: 4000, by: 1000) { _ = try store.commit(Array(orders[start..<start + 1000])) }
        // The keys are the same in every run: hashes of the same users.
        let census = try store.census(of: 1000)
        #expect((3600...4400).contains(census.live), "\(census.live)")
        #expect((800...1200).contains(census.ending[0]), "\(census.ending)")
        #expect(census.ending[0] < census.ending[4] && census.ending[4] == census.live)
        #expect(try store.census(of: 4001).live == 4000)
    }

    private func census(live: Double, cancelled: Double = 0, ending: [Int64]) -> LeaseCensus {
        LeaseCensus(
            .init(
                rows: Int64(live + cancelled), ended: 0, cancelled: Int64(cancelled), ending: ending,
                last: nil), of: .max, overdue: 0, oldest: nil, now: 0)
    }
}
