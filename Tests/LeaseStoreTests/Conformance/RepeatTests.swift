// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import LeaseStore

@Suite("Repeated messages")
struct RepeatTests {
    private let alice = Orders()

    @Test("The present one gets the same lease, an earlier one is superseded", arguments: StoreKind.allCases)
    func requests(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let first = try #require(try store.commit(alice.issue("m1", alice.grant(), salt: 1)).granted)
        bench.clock.advance(seconds: 100)
        #expect(try store.commit(alice.issue("m1", alice.grant(), salt: 9)) == .repeated(first))
        let second = try #require(try store.commit(alice.issue("m2", alice.grant(), salt: 2)).granted)
        #expect(try store.commit(alice.issue("m1", alice.grant(), salt: 9)) == .refused(.superseded))
        let third = try #require(try store.commit(alice.renew("r1", .key(first.key), salt: 3)).granted)
        #expect(try store.commit(alice.renew("r1", .key(first.key), salt: 9)) == .repeated(third))
        // It named the token or the generation that it replaced, and still does.
        #expect(try store.commit(alice.renew("r1", alice.token(of: second), salt: 9)) == .repeated(third))
        #expect(
            try store.commit(alice.renew("r1", .key(first.key), generation: second.generation)) == .repeated(third))
        #expect(try store.commit(alice.issue("m2", alice.grant(), salt: 9)) == .refused(.superseded))
    }

    @Test("The same id with another body is a conflict", arguments: StoreKind.allCases)
    func conflicts(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let first = try #require(try store.commit(alice.issue("m1", alice.grant(), body: "a")).granted)
        #expect(
            try store.commit(alice.issue("m1", alice.grant(expire: 60), body: "b")) == .refused(.idempotencyConflict))
        let second = try #require(try store.commit(alice.renew("r1", .key(first.key), body: "a")).granted)
        #expect(try store.commit(alice.renew("r1", .key(first.key), body: "b")) == .refused(.idempotencyConflict))
        #expect(
            try store.commit(alice.issue("m1", alice.grant(), body: "b")) == .refused(.idempotencyConflict))
        #expect(try store.leases([first.key]) == [second])
    }

    @Test("Eight are remembered, the ninth last is new again", arguments: StoreKind.allCases)
    func depth(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        for number in 1...8 { _ = try store.commit(alice.issue("m\(number)", alice.grant())) }
        for number in 1...7 {
            #expect(try store.commit(alice.issue("m\(number)", alice.grant())) == .refused(.superseded))
        }
        #expect(try store.commit(alice.issue("m8", alice.grant())).repeated != nil)
        _ = try store.commit(alice.issue("m9", alice.grant()))
        #expect(try store.commit(alice.issue("m2", alice.grant())) == .refused(.superseded))
        #expect(try store.commit(alice.issue("m1", alice.grant())).granted != nil)
    }

    @Test("Without a message id only a redelivery is looked up", arguments: StoreKind.allCases)
    func unnamed(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let first = try #require(try store.commit(alice.issue("m", alice.grant(), compared: false)).granted)
        let second = try #require(try store.commit(alice.issue("m", alice.grant(), compared: false)).granted)
        #expect(second.generation > first.generation)
        #expect(try store.commit(alice.issue("m", alice.grant(), compared: true)) == .repeated(second))
    }

    @Test("After the end the same message makes a new lease", arguments: StoreKind.allCases)
    func afterTheEnd(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let first = try #require(try store.commit(alice.issue("m1", alice.grant(expire: 60))).granted)
        let renewed = try #require(try store.commit(alice.renew("r1", .key(first.key))).granted)
        bench.clock.advance(seconds: 61)
        #expect(try store.commit(alice.renew("r1", .key(first.key))) == .refused(.notFound))
        let next = try #require(try store.commit(alice.issue("m1", alice.grant(expire: 60))).granted)
        #expect(next.generation > renewed.generation)
    }

    @Test("What every leaseholder may hold once cannot be repeated under another's name", arguments: StoreKind.allCases)
    func wildcards(_ kind: StoreKind) throws {
        let store = try StoreBench(kind).open()
        let grant = alice.grant(uid: 0)
        func issue(_ message: String, salt: UInt32) -> LeaseOperation {
            let mark = alice.mark(message)
            let order = IssueOrder(
                key: .wildcardLease(caller: alice.caller, request: mark.id), ownID: nil, caller: alice.caller,
                grant: grant, leads: [30], request: mark, salt: salt, needsTokenKey: true, certificate: "c")
            return .issue(order)
        }
        let first = try #require(try store.commit(issue("m1", salt: 1)).granted)
        let second = try #require(try store.commit(issue("m2", salt: 2)).granted)
        #expect(first.key != second.key)
        #expect(try store.commit(issue("m1", salt: 3)) == .repeated(first))
        let renewed = try store.commit(alice.renew("r1", alice.token(of: second, byScope: false), salt: 4))
        #expect(renewed.granted?.key == second.key)
        #expect(try store.leases([first.key]) == [first])
    }
}
