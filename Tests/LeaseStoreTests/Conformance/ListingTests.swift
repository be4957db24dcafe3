// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import LeaseStore

@Suite("Stores that people look into")
struct ListingTests {
    private let alice = Orders()

    @Test("Pages have every lease once, in the order of the keys", arguments: StoreKind.allCases)
    func pages(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try #require(bench.open() as? any LeaseListing)
        let grants = (1...25).map { alice.grant(uid: $0) }
        let leases = try store.commit(grants.map { alice.issue("m", $0) }).compactMap(\.granted)
        _ = try store.commit(alice.cancel("c", .key(leases[3].key)))
        var seen: [Key] = []
        var after: Key?
        for _ in 0..<4 {
            let page = try store.page(after: after, limit: 10)
            #expect(page.records.count <= 10 && page.unreadable == 0)
            #expect(page.last == page.records.last?.lease.key)
            seen += page.records.map(\.lease.key)
            after = page.last ?? after
        }
        #expect(seen == leases.map(\.key).sorted())
        let record = try #require(try store.page(after: nil, limit: 25).records.first { $0.lease.key == leases[0].key })
        #expect(record.lease == leases[0])
        #expect(record.next?.kind == .willExpire && record.dueAt == leases[0].schedule.dueAt(0, key: leases[0].key))
    }

    @Test("A row that cannot be read does not hide those after it", arguments: StoreKind.allCases)
    func unreadable(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try #require(bench.open() as? any LeaseListing)
        _ = try store.commit((1...5).map { alice.issue("m", alice.grant(uid: $0), salt: $0) })
        try bench.execute("UPDATE lease SET steps = ''")
        let page = try store.page(after: nil, limit: 5)
        #expect(page.records.isEmpty && page.unreadable == 5)
        #expect(page.last == (1...5).map { alice.key(alice.grant(uid: $0)) }.max())
    }

    @Test("A forecast counts the leases that end in each minute", arguments: StoreKind.allCases)
    func forecast(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try #require(bench.open() as? any LeaseListing)
        let now = bench.clock.microseconds / 1_000_000
        // Ends at the last second of this minute, in the next one twice, long after, and one that is cancelled.
        let left = UInt32(60 - now % 60)
        for (user, expire) in [(1, left + 59), (2, left + 60), (3, left + 119), (4, 7200), (5, left + 60)]
            as [(UInt32, UInt32)]
        {
            _ = try store.commit(alice.issue("m", alice.grant(uid: user, expire: expire)))
        }
        _ = try store.commit(alice.cancel("c", .key(alice.key(alice.grant(uid: 5)))))
        let minute = now + Int64(left)
        let expected = Forecast(
            now: now, minutes: [.init(start: minute, expiries: 1), .init(start: minute + 60, expiries: 2)])
        #expect(try store.forecast(minutes: 5) == expected)
        #expect(try store.forecast(minutes: 121).total == 4)
        bench.clock.advance(seconds: 7200)
        #expect(try store.forecast(minutes: 1440).minutes.isEmpty)
    }
}
