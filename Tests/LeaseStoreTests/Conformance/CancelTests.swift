// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import LeaseStore

@Suite("Cancellations")
struct CancelTests {
    private let alice = Orders()

    @Test("A tombstone stands until the token itself has run out", arguments: StoreKind.allCases)
    func tombstone(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let grant = alice.grant(expire: 3600, privileges: [.joinChannel: 600])
        let lease = try #require(try store.commit(alice.issue("m1", grant)).granted)
        guard case .cancelled(let tombstone, already: false) = try store.commit(alice.cancel("c1", .key(lease.key)))
        else { Issue.record("not cancelled"); return }
        #expect(tombstone.generation > lease.generation)
        #expect(
            tombstone.schedule.steps == [
                Step(.cancelled, at: lease.issuedAt), Step(.purge, at: lease.issuedAt + 3600),
            ])
        let told = try store.claim(limit: 10, visibility: 10, lane: .fresh)
        #expect(told.leases.map(\.lease) == [tombstone])
        #expect(try store.complete(told.leases.map { StepMark($0, published: 0) }) == 1)
        #expect(try store.counts().cancelled == 1)
        // The lease would have ended here, with its join privilege.
        bench.clock.advance(seconds: 601)
        #expect(try store.claim(limit: 10, visibility: 10, lane: .fresh).leases.isEmpty)
        #expect(try store.commit(alice.renew("r1", alice.token(of: lease))) == .refused(.cancelled))
        bench.clock.advance(seconds: 2999)
        let due = try store.claim(limit: 10, visibility: 10, lane: .fresh)
        #expect(due.leases.map(\.lease) == [tombstone])
        #expect(try store.complete(due.leases.map { StepMark($0, published: 1) }) == 1)
        #expect(try store.counts().total == 0)
    }

    @Test("Cancelling again is no error", arguments: StoreKind.allCases)
    func again(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let lease = try #require(try store.commit(alice.issue("m1", alice.grant())).granted)
        let first = try store.commit(alice.cancel("c1", .key(lease.key)))
        let tombstone = try #require(first.lease)
        for message in ["c1", "c2"] {
            #expect(
                try store.commit(alice.cancel(message, .key(lease.key))) == .cancelled(tombstone, already: true))
        }
    }

    @Test("A stale token or generation cancels nothing", arguments: StoreKind.allCases)
    func stale(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let first = try #require(try store.commit(alice.issue("m1", alice.grant())).granted)
        let second = try #require(try store.commit(alice.renew("r1", .key(first.key))).granted)
        #expect(try store.commit(alice.cancel("c1", alice.token(of: first))) == .refused(.superseded))
        #expect(
            try store.commit(alice.cancel("c2", .key(first.key), generation: first.generation))
                == .refused(.superseded))
        #expect(try store.leases([first.key]) == [second])
        #expect(try store.commit(alice.cancel("c3", alice.token(of: second))).lease?.isCancelled == true)
    }

    @Test("What is not there, or has ended, is not cancelled", arguments: StoreKind.allCases)
    func gone(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        #expect(try store.commit(alice.cancel("c1", .key(Key.body([])))) == .refused(.notFound))
        let lease = try #require(try store.commit(alice.issue("m1", alice.grant(expire: 60))).granted)
        bench.clock.advance(seconds: 60)
        #expect(try store.commit(alice.cancel("c2", .key(lease.key))) == .refused(.notFound))
        #expect(try store.commit(alice.cancel("c3", alice.token(of: lease))) == .refused(.expired))
    }

    @Test("A new request brings a cancelled lease back, an old one does not", arguments: StoreKind.allCases)
    func afterwards(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let first = try #require(try store.commit(alice.issue("m1", alice.grant())).granted)
        let tombstone = try #require(try store.commit(alice.cancel("c1", .key(first.key))).lease)
        #expect(try store.commit(alice.issue("m1", alice.grant())) == .refused(.cancelled))
        let second = try #require(try store.commit(alice.issue("m2", alice.grant())).granted)
        #expect(second.generation > tombstone.generation)
        #expect(!second.isCancelled)
        // The cancellation is an earlier message now: redelivered, it must not end the new lease.
        #expect(try store.commit(alice.cancel("c1", .key(first.key))) == .refused(.superseded))
        #expect(try store.leases([first.key]) == [second])
    }
}
