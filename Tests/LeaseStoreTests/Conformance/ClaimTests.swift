// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import LeaseStore

@Suite("Claims and marks")
struct ClaimTests {
    private let alice = Orders()

    /// `count` leases that are all due at the clock's time.
    private func dueLeases(_ count: Int, _ bench: StoreBench, _ store: any LeaseStore) throws {
        _ = try store.commit((1...count).map { alice.issue("m\($0)", alice.grant(uid: UInt32($0)), leads: []) })
        bench.clock.advance(seconds: 3600)
    }

    @Test("What is due is claimed once, in order, at most the limit", arguments: StoreKind.allCases)
    func claim(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        for uid in [3, 1, 2] as [UInt32] {
            _ = try store.commit(alice.issue("m\(uid)", alice.grant(uid: uid, expire: 60 * uid), leads: []))
        }
        #expect(try store.claim(limit: 10, visibility: 10, lane: .fresh).next == Int64(bench.clock.second + 60) * 1000)
        bench.clock.advance(seconds: 59.999)
        #expect(try store.claim(limit: 10, visibility: 10, lane: .fresh).leases.isEmpty)
        bench.clock.advance(seconds: 0.001)
        let first = try store.claim(limit: 10, visibility: 10, lane: .fresh)
        #expect(first.leases.map(\.lease.grant.scope.user) == [.uid(1)])
        #expect(first.now == bench.clock.microseconds / 1000)
        #expect(first.next == Int64(bench.clock.second + 60) * 1000)
        #expect(first.leases[0].attempt == 1)
        #expect(try bench.open().claim(limit: 10, visibility: 10, lane: .fresh).leases.isEmpty)
    }

    @Test("Many stores claim a lease once", arguments: StoreKind.allCases)
    func disjoint(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        try dueLeases(500, bench, store)
        let stores = [store, try bench.open(), try bench.open()]
        var claimed: [Key] = []
        while true {
            var found = 0
            for store in stores {
                let claim = try store.claim(limit: 40, visibility: 10, lane: .fresh)
                #expect(claim.leases.count <= 40)
                claimed += claim.leases.map(\.lease.key)
                found += claim.leases.count
            }
            if found == 0 { break }
        }
        #expect(claimed.count == 500)
        #expect(Set(claimed).count == 500)
    }

    @Test("A claim ends by itself, and the next one counts", arguments: StoreKind.allCases)
    func visibility(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        try dueLeases(1, bench, store)
        for attempt in 1...5 {
            #expect(try store.claim(limit: 10, visibility: 10, lane: .fresh).leases.map(\.attempt) == [attempt])
            bench.clock.advance(seconds: 9.9)
            #expect(try store.claim(limit: 10, visibility: 10, lane: .fresh).leases.isEmpty)
            bench.clock.advance(seconds: 0.1)
        }
    }

    @Test("The lanes part at a minute ago", arguments: StoreKind.allCases)
    func lanes(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        try dueLeases(1, bench, store)
        bench.clock.advance(seconds: 59.999)
        #expect(try store.claim(limit: 10, visibility: 0.001, lane: .backlog).leases.isEmpty)
        #expect(try store.claim(limit: 10, visibility: 0.001, lane: .fresh).leases.count == 1)
        bench.clock.advance(seconds: 0.001)
        #expect(try store.claim(limit: 10, visibility: 0.001, lane: .fresh).leases.isEmpty)
        #expect(try store.claim(limit: 10, visibility: 0.001, lane: .backlog).leases.count == 1)
        // What was made due in the past, as by a clock set forward and back, is found as well.
        bench.clock.advance(seconds: 86_400)
        #expect(try store.claim(limit: 10, visibility: 10, lane: .backlog).leases.count == 1)
    }

    @Test("A lease over which workers died is claimed alone", arguments: StoreKind.allCases)
    func suspects(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        _ = try store.commit(alice.issue("m1", alice.grant(uid: 1, expire: 3600), leads: []))
        _ = try store.commit((2...4).map { alice.issue("m", alice.grant(uid: $0, expire: 3630), leads: []) })
        bench.clock.advance(seconds: 3600)
        for _ in 1...2 {
            #expect(try store.claim(limit: 10, visibility: 10, lane: .fresh).leases.count == 1)
            bench.clock.advance(seconds: 10)
        }
        bench.clock.advance(seconds: 10)
        let alone = try store.claim(limit: 10, visibility: 10, lane: .fresh)
        #expect(alone.leases.map(\.lease.grant.scope.user) == [.uid(1)])
        #expect(alone.leases.map(\.attempt) == [3])
        #expect(try store.claim(limit: 10, visibility: 10, lane: .fresh).leases.count == 3)
        bench.clock.advance(seconds: 10)
        #expect(try store.claim(limit: 10, visibility: 10, lane: .fresh).leases.map(\.attempt) == [4])
        #expect(try store.claim(limit: 10, visibility: 10, lane: .fresh).leases.map(\.attempt) == [2, 2, 2])
    }

    @Test("A mark moves on to the next step, the last one ends the lease", arguments: StoreKind.allCases)
    func marks(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let lease = try #require(try store.commit(alice.issue("m1", alice.grant(), leads: [60, 30])).granted)
        for index in 0..<3 {
            bench.clock.set(milliseconds: lease.schedule.dueAt(index, key: lease.key) - 1)
            #expect(try store.claim(limit: 10, visibility: 10, lane: .fresh).leases.isEmpty)
            bench.clock.advance(seconds: 0.001)
            let claim = try store.claim(limit: 10, visibility: 10, lane: .fresh)
            #expect(claim.leases.map(\.step) == [index])
            #expect(claim.leases.map(\.attempt) == [1])
            let marks = claim.leases.map { StepMark($0, published: index) }
            #expect(try store.complete(marks) == 1)
            #expect(try store.complete(marks) == 0)
        }
        #expect(try store.leases([lease.key]) == [nil])
    }

    @Test("A release is due again after its delay, and counts no attempt", arguments: StoreKind.allCases)
    func releases(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        try dueLeases(1, bench, store)
        let claim = try store.claim(limit: 10, visibility: 10, lane: .fresh)
        try store.release(claim.leases, delay: 2)
        bench.clock.advance(seconds: 1.999)
        #expect(try store.claim(limit: 10, visibility: 10, lane: .fresh).leases.isEmpty)
        bench.clock.advance(seconds: 0.001)
        let again = try store.claim(limit: 10, visibility: 10, lane: .fresh)
        #expect(again.leases.map(\.attempt) == [1])
        // The first claim is long over: giving it back must not end the second one.
        try store.release(claim.leases, delay: 0)
        #expect(try store.claim(limit: 10, visibility: 10, lane: .fresh).leases.isEmpty)
    }

    @Test("A renewal ends a claim; its mark and its release change nothing", arguments: StoreKind.allCases)
    func fencing(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let first = try #require(try store.commit(alice.issue("m1", alice.grant())).granted)
        bench.clock.set(milliseconds: Int64(first.expiresAt - 30) * 1000)
        let claim = try store.claim(limit: 10, visibility: 10, lane: .fresh)
        let second = try #require(try store.commit(alice.renew("r1", .key(first.key))).granted)
        #expect(try store.complete(claim.leases.map { StepMark($0, published: 0) }) == 0)
        try store.release(claim.leases, delay: 0)
        #expect(try store.leases([first.key]) == [second])
        bench.clock.set(milliseconds: Int64(second.expiresAt - 30) * 1000)
        let next = try store.claim(limit: 10, visibility: 10, lane: .backlog)
        #expect(next.leases.map(\.lease) == [second])
        #expect(next.leases.map(\.step) == [0])
    }
}
