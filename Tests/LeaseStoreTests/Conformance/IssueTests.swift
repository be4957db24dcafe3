// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import LeaseStore

@Suite("Requests make leases")
struct IssueTests {
    private let alice = Orders()

    @Test("A lease is what was ordered, timed by the store's clock", arguments: StoreKind.allCases)
    func first(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let grant = alice.grant(expire: 600)
        let trace = TraceContext(
            traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: "a=1,b=2")
        let lease = try #require(try store.commit(alice.issue("m1", grant, leads: [60, 30], trace: trace)).granted)
        #expect(lease.issuedAt == bench.clock.second)
        #expect(lease.expiresAt == bench.clock.second + 600)
        #expect(lease.generation == bench.clock.microseconds)
        #expect(lease.grant == grant)
        #expect(lease.caller == alice.caller)
        #expect(lease.id == "l-" + lease.key.hex)
        #expect(lease.trace == trace)
        #expect(try store.leases([lease.key, Key.body([])]) == [lease, nil])
        #expect(try store.counts() == LeaseCounts(live: 1, cancelled: 0))
    }

    @Test("Another request for the same user and channel is the next generation", arguments: StoreKind.allCases)
    func superseding(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let first = try #require(try store.commit(alice.issue("m1", alice.grant())).granted)
        // In the same microsecond, and with the same salt: the generation grows, and the token is another.
        let second = try #require(try store.commit(alice.issue("m2", alice.grant())).granted)
        #expect(second.key == first.key)
        #expect(second.generation == first.generation + 1)
        #expect(second.salt != first.salt)
        #expect(try store.counts().live == 1)
    }

    @Test("Equal requests without an id for any user have a lease each", arguments: StoreKind.allCases)
    func wildcards(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let anyone = alice.grant(uid: 0)
        let together = try store.commit([
            alice.issue("same", anyone, salt: 5, compared: false),
            alice.issue("same", anyone, salt: 6, compared: false),
        ])
        let first = try #require(together[0].granted)
        let second = try #require(together[1].granted)
        let third = try #require(try store.commit(alice.issue("same", anyone, salt: 5, compared: false)).granted)
        #expect(Set([first.key, second.key, third.key]).count == 3)
        #expect(try store.counts().live == 3)
        // One that is redelivered is known again.
        #expect(try store.commit(alice.issue("same", anyone, salt: 7)).repeated == first)
        for lease in [first, second, third] {
            #expect(try store.commit(alice.renew("renew \(lease.key)", .key(lease.key))).granted?.key == lease.key)
        }
        // A lease that its caller named is one for all its requests.
        let named = try #require(try store.commit(alice.issue("a", anyone, leaseID: "own", compared: false)).granted)
        let again = try #require(try store.commit(alice.issue("a", anyone, leaseID: "own", compared: false)).granted)
        #expect(again.key == named.key)
    }

    @Test("The generation grows when the clock is set back", arguments: StoreKind.allCases)
    func clockSetBack(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let first = try #require(try store.commit(alice.issue("m1", alice.grant())).granted)
        bench.clock.advance(seconds: -600)
        let second = try #require(try store.commit(alice.issue("m2", alice.grant())).granted)
        #expect(second.generation == first.generation + 1)
        #expect(second.issuedAt == bench.clock.second)
    }

    @Test("One batch may hold one lease many times, each operation sees those before", arguments: StoreKind.allCases)
    func duplicatesInABatch(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let key = alice.key(alice.grant())
        let results = try store.commit([
            alice.issue("m1", alice.grant(), salt: 5),
            alice.issue("m1", alice.grant(), salt: 6),
            alice.issue("m2", alice.grant(expire: 60), salt: 7),
            alice.renew("m3", .key(key), salt: 8),
            alice.cancel("m4", .key(key)),
            alice.renew("m5", .key(key)),
            alice.issue("m6", alice.grant(uid: 2)),
        ])
        let first = try #require(results[0].granted)
        #expect(results[1].repeated == first)
        let second = try #require(results[2].granted)
        let third = try #require(results[3].granted)
        #expect(third.generation == second.generation + 1)
        #expect(third.grant.lifetime == 60)
        #expect(results[4].lease?.isCancelled == true)
        #expect(results[5] == .refused(.cancelled))
        #expect(results[6].granted != nil)
        #expect(try store.counts() == LeaseCounts(live: 1, cancelled: 1))
    }

    @Test("The end is that of the join privilege when it comes first", arguments: StoreKind.allCases)
    func joinEndsFirst(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let grant = alice.grant(expire: 3600, privileges: [.joinChannel: 600])
        let lease = try #require(try store.commit(alice.issue("m1", grant)).granted)
        #expect(lease.expiresAt == lease.issuedAt + 600)
    }

    @Test("A lease whose reply reached nobody ends, a later generation does not", arguments: StoreKind.allCases)
    func ending(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let first = try #require(try store.commit(alice.issue("m1", alice.grant())).granted)
        let second = try #require(try store.commit(alice.issue("m2", alice.grant())).granted)
        #expect(try store.commit(.end(EndOrder(key: first.key, generation: first.generation))) == .ended(false))
        #expect(try store.leases([first.key]) == [second])
        #expect(try store.commit(.end(EndOrder(key: first.key, generation: second.generation))) == .ended(true))
        #expect(try store.leases([first.key]) == [nil])
        #expect(try store.commit(.end(EndOrder(key: first.key, generation: second.generation))) == .ended(false))
    }
}
