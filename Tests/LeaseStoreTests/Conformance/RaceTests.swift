// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Platform
import Synchronization
import Testing
import TokenMessages

@testable import LeaseStore

@Suite("Races on one lease")
struct RaceTests {
    private static let count = ProcessInfo.processInfo.environment["AGORA_TEST_LONG"] == nil ? 500 : 10_000
    private let alice = Orders()

    /// What the threads of a race have seen.
    private struct Record: Sendable {
        /// The newest generation of each lease whose commit has returned, and whether it is a tombstone.
        var committed: [Key: (generation: Int64, isCancelled: Bool)] = [:]
        /// The marks that stood.
        var marked: [StepMark] = []
        var changersAtWork = 3
        var violations: [String] = []

        mutating func commit(_ lease: Lease) {
            if (committed[lease.key]?.generation ?? 0) < lease.generation {
                committed[lease.key] = (lease.generation, lease.isCancelled)
            }
        }
    }

    @Test(
        "Renewal, cancellation, request and claim: the last commit decides", .timeLimit(.minutes(5)),
        arguments: StoreKind.allCases)
    func lastCommitDecides(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        let grants = (1...Self.count).map { self.alice.grant(uid: UInt32($0), expire: 3600) }
        let keys = grants.map { self.alice.key($0) }
        _ = try store.commit(grants.map { self.alice.issue("m1", $0) })
        bench.clock.advance(seconds: 3570)

        let record = Shared()
        let alice = self.alice
        let changes: [@Sendable (Int) -> LeaseOperation] = [
            { alice.renew("r", .key(keys[$0])) },
            { alice.cancel("c", .key(keys[$0])) },
            { alice.issue("m2", grants[$0]) },
        ]
        var threads = changes.map { change in
            PlainThread { Self.run(bench, record) { try Self.change(keys.count, $0, change, record) } }
        }
        for _ in 1...2 { threads.append(PlainThread { Self.run(bench, record) { try Self.claim($0, record) } }) }
        for thread in threads { thread.join() }
        let seen = record.value
        #expect(seen.violations.isEmpty)
        #expect(Set(seen.marked).count == seen.marked.count)

        // Whatever the order was, the row is what the highest generation made it.
        let rows = try store.leases(keys)
        for (key, row) in zip(keys, rows) {
            let row = try #require(row)
            let last = try #require(seen.committed[key])
            #expect(row.generation == last.generation)
            #expect(row.isCancelled == last.isCancelled)
        }
        try drain(bench, store, rows.compactMap(\.self), seen.marked)
    }

    /// Every step of the last generations is marked once in the end.
    private func drain(
        _ bench: StoreBench, _ store: any LeaseStore, _ leases: [Lease], _ marked: [StepMark]
    ) throws {
        var steps = marked
        for _ in 0..<2 {
            bench.clock.advance(seconds: 3600)
            while true {
                let claim = try store.claim(limit: 500, visibility: 10, lane: .backlog)
                if claim.leases.isEmpty { break }
                let marks = claim.leases.map { StepMark($0, published: $0.step) }
                #expect(try store.complete(marks) == marks.count)
                steps += marks
            }
        }
        let byGeneration = Dictionary(grouping: steps) { [$0.key.hex, String($0.generation)] }
        for lease in leases {
            let marks = byGeneration[[lease.key.hex, String(lease.generation)]] ?? []
            #expect(marks.map(\.step).sorted() == Array(lease.schedule.steps.indices))
        }
        #expect(try store.counts().total == 0)
    }

    private static func run(_ bench: StoreBench, _ record: Shared, _ body: (any LeaseStore) throws -> Void) {
        do { try body(try bench.open()) } catch { record.change { $0.violations.append("\(error)") } }
    }

    private static func change(
        _ count: Int, _ store: any LeaseStore, _ change: (Int) -> LeaseOperation, _ record: Shared
    ) throws {
        defer { record.change { $0.changersAtWork -= 1 } }
        for index in 0..<count {
            let result = try store.commit(change(index))
            record.change { record in if let lease = result.lease { record.commit(lease) } }
        }
    }

    private static func claim(_ store: any LeaseStore, _ record: Shared) throws {
        while true {
            let before = record.value
            let claim = try store.claim(limit: 7, visibility: 3600, lane: .fresh)
            let marks = claim.leases.map { StepMark($0, published: $0.step) }
            var stood: [StepMark] = []
            for mark in marks where try store.complete([mark]) == 1 { stood.append(mark) }
            record.change { record in
                record.marked += stood
                for lease in claim.leases.map(\.lease)
                where lease.generation < (before.committed[lease.key]?.generation ?? 0) {
                    record.violations.append("claimed generation \(lease.generation) after its successor's commit")
                }
            }
            if before.changersAtWork == 0, claim.leases.isEmpty { return }
        }
    }

    /// The record, for threads.
    private final class Shared: Sendable {
        private let record = Mutex(Record())
        var value: Record { record.withLock { $0 } }
        func change(_ change: (inout Record) -> Void) { record.withLock { change(&$0) } }
    }
}
