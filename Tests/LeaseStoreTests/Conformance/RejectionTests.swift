// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import LeaseStore

@Suite("Values that the database refuses")
struct RejectionTests {
    private let alice = Orders()

    @Test("Such a value spoils its own request only", arguments: StoreKind.allCases, [0, 1, 57, 98, 99])
    func halving(_ kind: StoreKind, position: Int) throws {
        let bench = try StoreBench(kind)
        try bench.refuseCaller("u-refused")
        let store = try bench.open()
        var orders = (0..<100).map { alice.issue("m\($0)", alice.grant(uid: UInt32($0 + 1))) }
        orders[position] = Orders(caller: Caller(text: "u-refused")).issue("m", alice.grant())
        orders.append(alice.renew("r", .key(alice.key(alice.grant(uid: position == 0 ? 2 : 1)))))
        let results = try store.commit(orders)
        #expect(results.count == 101)
        for (index, result) in results.enumerated() {
            if index == position {
                guard case .refused(.rejectedByStore(let reason)) = result else {
                    Issue.record("not refused")
                    continue
                }
                #expect(!reason.isEmpty)
            } else {
                #expect(result.granted != nil)
            }
        }
        #expect(try store.counts().live == 99)
    }

    @Test(
        "A row that cannot be read spoils its own lease only", arguments: StoreKind.allCases,
        ["granted = '{}'", "steps = ''", "leads = 'x'", "step = 99", "step = -1"])
    func unreadable(_ kind: StoreKind, fault: String) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let keys = (1...9).map { alice.key(alice.grant(uid: $0)) }
        _ = try store.commit((1...9).map { alice.issue("m", alice.grant(uid: $0), leads: [], salt: $0) })
        try bench.execute("UPDATE lease SET \(fault) WHERE salt = 4")
        let isReadable = fault == "step = 99"
        let results = try store.commit(keys.enumerated().map { alice.renew("r\($0)", .key($1), leads: []) })
        #expect(results.count { $0.granted != nil } == (isReadable ? 9 : 8))
        try bench.execute("UPDATE lease SET \(fault) WHERE salt = \(isReadable ? 2 : 4)")
        bench.clock.advance(seconds: 3700)
        let claim = try store.claim(limit: 100, visibility: 10, lane: .backlog)
        #expect(claim.leases.count == (isReadable ? 9 : 8))
        #expect(claim.unreadable == (isReadable ? 0 : 1))
        #expect(try store.complete(claim.leases.map { StepMark($0, published: 99) }) == claim.leases.count)
        bench.clock.advance(seconds: 10)
        #expect(try store.claim(limit: 100, visibility: 10, lane: .backlog).leases.isEmpty)
        #expect(try store.counts().live == (isReadable ? 0 : 1))
    }

    @Test("No lease without an end is stored", arguments: StoreKind.allCases)
    func endless(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        for grant in [
            alice.grant(expire: 0), alice.grant(uid: 2, expire: 0, privileges: [.joinChannel: 60]),
        ] {
            guard case .refused(.rejectedByStore) = try store.commit(alice.issue("m", grant)) else {
                Issue.record("stored")
                continue
            }
        }
        #expect(try store.counts().total == 0)
    }
}
