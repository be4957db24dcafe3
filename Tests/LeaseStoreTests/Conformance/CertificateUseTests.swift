// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import LeaseStore

@Suite("What rests on a certificate")
struct CertificateUseTests {
    private let alice = Orders()

    private func issue(_ uid: UInt32, _ certificate: String, expire: UInt32 = 3600) -> LeaseOperation {
        guard case .issue(var order) = alice.issue("m\(uid)", alice.grant(uid: uid, expire: expire)) else {
            return alice.issue("m\(uid)", alice.grant(uid: uid))
        }
        order.certificate = certificate
        return .issue(order)
    }

    @Test("Live leases are counted by certificate", arguments: StoreKind.allCases)
    func counts(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try #require(bench.open() as? any LeaseListing)
        let now = Int64(bench.clock.second)
        #expect(try store.certificateUse() == CertificateUse(now: now))
        _ = try store.commit([issue(1, "bb", expire: 600), issue(2, "bb", expire: 900), issue(3, "bb", expire: 60)])
        bench.clock.advance(seconds: 100)
        // Another certificate takes over: a new lease, one renewed, one cancelled; and one has ended.
        _ = try store.commit([issue(4, "aa")])
        _ = try store.commit([alice.renew("r", .key(alice.key(alice.grant(uid: 1))))]) { _, _ in
            .allowed(certificate: "aa")
        }
        _ = try store.commit([issue(5, "bb"), alice.cancel("c", .key(alice.key(alice.grant(uid: 5))))])
        #expect(
            try store.certificateUse().leases == [
                .init(certificate: "aa", live: 2, lastEnd: now + 3700, lastIssue: now + 100),
                .init(certificate: "bb", live: 1, lastEnd: now + 900, lastIssue: now),
            ])
    }

    @Test("Who signs is remembered from the first word to the last, and forgotten later", arguments: StoreKind.allCases)
    func signers(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try #require(bench.open() as? any LeaseListing)
        let start = Int64(bench.clock.second)
        let old = Signer(worker: "host/1", appID: Orders.appID, certificate: "aa")
        let new = Signer(worker: "host/1", appID: Orders.appID, certificate: "bb")
        let other = Signer(worker: "a'\"\\host/2", appID: Orders.appID, certificate: "aa")
        try store.note([])
        try store.note([old, other])
        bench.clock.advance(seconds: 30)
        try store.note([new, old])
        bench.clock.advance(seconds: 30)
        try bench.open().note([new])
        #expect(
            try store.certificateUse().records == [
                .init(signer: other, firstAt: start, lastAt: start),
                .init(signer: old, firstAt: start, lastAt: start + 30),
                .init(signer: new, firstAt: start + 30, lastAt: start + 60),
            ])
        // A clock that was set back does not take a later word back.
        bench.clock.advance(seconds: -40)
        try store.note([new])
        #expect(try store.certificateUse().records.last?.lastAt == start + 60)
        bench.clock.advance(seconds: Double(Signer.memory) + 20)
        try store.note([new])
        #expect(try store.certificateUse().records.map(\.signer) == [new])
    }
}
