// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import LeaseStore

@Suite("Renewals")
struct RenewTests {
    private let alice = Orders()
    private let bob = Orders(caller: Caller(text: "u-bob"))

    @Test("A renewal keeps what was granted and moves the end", arguments: StoreKind.allCases)
    func renewal(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let grant = alice.grant(expire: 3600, privileges: [.publishAudioStream: 900])
        let first = try #require(try store.commit(alice.issue("m1", grant, leads: [60])).granted)
        bench.clock.advance(seconds: 1800)
        let second = try #require(try store.commit(alice.renew("r1", .key(first.key))).granted)
        #expect(second.grant == grant)
        #expect(second.leads == [60])
        #expect(second.issuedAt == first.issuedAt + 1800)
        #expect(second.expiresAt == first.expiresAt + 1800)
        #expect(second.generation == bench.clock.microseconds)
        #expect(second.salt != first.salt)
        // And by the token that it has now.
        bench.clock.advance(seconds: 1)
        let third = try #require(try store.commit(alice.renew("r2", alice.token(of: second), leads: [])).granted)
        #expect(third.leads.isEmpty)
        #expect(third.schedule.steps.map(\.kind) == [.renewed, .expired])
        #expect(try store.leases([first.key]) == [third])
    }

    @Test("The end never moves back, and moves on with each second", arguments: StoreKind.allCases)
    func endIsNeverEarlier(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let first = try #require(try store.commit(alice.issue("m1", alice.grant(expire: 3600))).granted)
        let same = try #require(try store.commit(alice.renew("r1", .key(first.key), expire: 60)).granted)
        #expect(same.expiresAt == first.expiresAt)
        bench.clock.advance(seconds: 600)
        let shorter = try #require(try store.commit(alice.renew("r2", .key(first.key), expire: 60)).granted)
        #expect(shorter.expiresAt == first.expiresAt + 1)
        // A clock that was set back does not move the issue time back either.
        bench.clock.advance(seconds: -300)
        let back = try #require(try store.commit(alice.renew("r3", .key(first.key), expire: 60)).granted)
        #expect(back.expiresAt >= shorter.expiresAt)
        #expect(back.issuedAt == shorter.issuedAt)
        #expect(back.generation > shorter.generation)
    }

    @Test("Two renewals in one second have two tokens", arguments: StoreKind.allCases)
    func sameSecond(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let first = try #require(try store.commit(alice.issue("m1", alice.grant(), salt: 1)).granted)
        let second = try #require(try store.commit(alice.renew("r1", .key(first.key), salt: 7)).granted)
        let third = try #require(try store.commit(alice.renew("r2", .key(first.key), salt: 7)).granted)
        #expect(Set([first.salt, second.salt, third.salt]).count == 3)
    }

    @Test("A stale generation or token is superseded", arguments: StoreKind.allCases)
    func stale(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let first = try #require(try store.commit(alice.issue("m1", alice.grant())).granted)
        let second = try #require(try store.commit(alice.issue("m2", alice.grant())).granted)
        #expect(
            try store.commit(alice.renew("r1", .key(first.key), generation: first.generation)) == .refused(.superseded))
        #expect(try store.commit(alice.renew("r2", alice.token(of: first))) == .refused(.superseded))
        #expect(
            try store.commit(alice.renew("r3", .key(first.key), generation: second.generation)).granted != nil)
    }

    @Test("Nobody renews what is not theirs, unless policy says so", arguments: StoreKind.allCases)
    func otherCaller(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let lease = try #require(try store.commit(alice.issue("m1", alice.grant())).granted)
        let token = LeaseLocator.Target.token(
            key: bob.key(lease.grant),
            tokenKey: .token(
                appID: lease.grant.appID, issuedAt: lease.issuedAt, salt: lease.salt, scope: lease.grant.scope),
            issuedAt: lease.issuedAt, salt: lease.salt)
        #expect(try store.commit(bob.renew("r1", .key(lease.key))) == .refused(.notFound))
        #expect(try store.commit(bob.renew("r2", token)) == .refused(.notFound))
        #expect(try store.commit(bob.cancel("c1", .key(lease.key))) == .refused(.notFound))
        #expect(try store.commit(bob.issue("m2", alice.grant())).granted?.key != lease.key)
        #expect(try store.leases([lease.key]) == [lease])
        let renewed = try #require(try store.commit(bob.renew("r3", .key(lease.key), anyCaller: true)).granted)
        #expect(renewed.caller == alice.caller)
    }

    @Test("Nobody renews what was another's, ended or cancelled, then or an hour later", arguments: StoreKind.allCases)
    func formerLeaseOfOthers(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let ended = try #require(try store.commit(alice.issue("m1", alice.grant(expire: 60))).granted)
        let cancelled = try #require(
            try store.commit(alice.issue("m2", alice.grant(expire: 86_400), leaseID: "own")).granted)
        #expect(try store.commit(alice.cancel("c1", .key(cancelled.key))).lease?.isCancelled == true)
        bench.clock.advance(seconds: 60)
        for hour in 0...1 {
            for lease in [ended, cancelled] {
                let id = "\(lease.id)\(hour)"
                #expect(try store.commit(bob.renew("r1\(id)", .key(lease.key))) == .refused(.notFound))
                let byToken = try store.commit(bob.renew("r2\(id)", bob.token(of: lease)))
                #expect(byToken == .refused(.notFound))
                // The message says when its token runs out, which is reason enough, whoever asks.
                let locator = LeaseLocator(
                    target: bob.token(of: lease), caller: bob.caller, tokenEndsAt: lease.expiresAt)
                let order = RenewOrder(
                    locator: locator, expire: nil, leads: nil, request: bob.mark("r3\(id)"), salt: 2)
                let expected: LeaseRefusal = lease.key == ended.key ? .expired : .notFound
                #expect(try store.commit(.renew(order)) == .refused(expected))
            }
            #expect(try store.leases([cancelled.key])[0]?.isCancelled == true)
            bench.clock.advance(seconds: 3600)
        }
    }

    @Test("What has ended is not renewed, by id or by token", arguments: StoreKind.allCases)
    func ended(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let lease = try #require(try store.commit(alice.issue("m1", alice.grant(expire: 60))).granted)
        bench.clock.advance(seconds: 59.999)
        #expect(try store.commit(alice.renew("r0", .key(Key.body([])))) == .refused(.notFound))
        bench.clock.advance(seconds: 0.001)
        #expect(try store.commit(alice.renew("r1", .key(lease.key))) == .refused(.notFound))
        #expect(try store.commit(alice.renew("r2", alice.token(of: lease))) == .refused(.expired))
        #expect(try store.leases([lease.key]) == [lease])
    }

    @Test("A cancelled lease is not renewed, by id or by token, an hour later either", arguments: StoreKind.allCases)
    func cancelled(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let lease = try #require(try store.commit(alice.issue("m1", alice.grant(expire: 86_400))).granted)
        #expect(try store.commit(alice.cancel("c1", .key(lease.key))).lease?.isCancelled == true)
        for hour in 0...1 {
            #expect(try store.commit(alice.renew("r1\(hour)", .key(lease.key))) == .refused(.cancelled))
            #expect(try store.commit(alice.renew("r2\(hour)", alice.token(of: lease))) == .refused(.cancelled))
            #expect(try store.commit(bob.renew("r3\(hour)", .key(lease.key))) == .refused(.notFound))
            bench.clock.advance(seconds: 3600)
        }
    }

    @Test("An own lease is found by its token, and by the one before when it repeats", arguments: StoreKind.allCases)
    func ownID(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let phone = try #require(try store.commit(alice.issue("m1", alice.grant(), leaseID: "phone", salt: 1)).granted)
        let tablet = try #require(
            try store.commit(alice.issue("m2", alice.grant(), leaseID: "tablet", salt: 2)).granted)
        let other = try #require(try store.commit(alice.issue("m3", alice.grant(), salt: 3)).granted)
        #expect(Set([phone.key, tablet.key, other.key]).count == 3)
        #expect(phone.id == "phone")
        let renewed = try #require(try store.commit(alice.renew("r1", alice.token(of: tablet), salt: 4)).granted)
        #expect(renewed.key == tablet.key)
        #expect(try store.commit(alice.renew("r1", alice.token(of: tablet), salt: 5)).repeated == renewed)
        #expect(try store.commit(alice.renew("r2", alice.token(of: tablet), salt: 6)) == .refused(.superseded))
        #expect(try store.leases([phone.key, other.key]) == [phone, other])
    }

    @Test("Policy judges what would be signed, and its no changes nothing", arguments: StoreKind.allCases)
    func judged(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let lease = try #require(try store.commit(alice.issue("m1", alice.grant(expire: 600))).granted)
        let error = MessageError(.policyDenied, "no")
        var asked: [UInt32] = []
        let denied = try store.commit([alice.renew("r1", .key(lease.key), expire: 7200)]) { index, next in
            #expect(index == 0)
            asked.append(next.grant.lifetime)
            return .denied(error)
        }
        #expect(denied == [.refused(.denied(error))])
        #expect(asked == [7200])
        #expect(try store.leases([lease.key]) == [lease])
        let allowed = try store.commit([alice.renew("r1", .key(lease.key))]) { _, _ in .allowed(certificate: "new") }
        #expect(allowed[0].granted?.certificate == "new")
        #expect(try store.commit([alice.cancel("c1", .key(lease.key))]) { _, _ in .denied(error) }[0].lease == nil)
    }
}
