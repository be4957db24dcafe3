// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import LeaseStore
import Testing
import TokenMessages

@testable import TokenWorker

/// Many batches at a time.
@Suite struct BatchIssueTests {
    /// Counts the operations of each transaction of another store, and refuses the transaction of a number.
    private final class CountingStore: LeaseStore {
        let store: any LeaseStore
        var sizes: [Int] = []
        var failing: Int?

        init(_ store: any LeaseStore) { self.store = store }

        func commitTogether(
            _ operations: ArraySlice<LeaseOperation>, judge: (Int, Lease) -> Judgement
        ) throws(StoreError) -> [LeaseResult] {
            sizes.append(operations.count)
            if sizes.count == failing { throw .unavailable("planted") }
            return try store.commitTogether(operations, judge: judge)
        }

        func leases(_ keys: [Key]) throws(StoreError) -> [Lease?] { try store.leases(keys) }

        func claim(limit: Int, visibility: Double, lane: ClaimLane) throws(StoreError) -> Claim {
            try store.claim(limit: limit, visibility: visibility, lane: lane)
        }

        func complete(_ marks: [StepMark]) throws(StoreError) -> Int { try store.complete(marks) }

        func release(_ claimed: [ClaimedLease], delay: Double) throws(StoreError) {
            try store.release(claimed, delay: delay)
        }

        func note(_ signers: [Signer]) throws(StoreError) { try store.note(signers) }
        func clock() throws(StoreError) -> Int64 { try store.clock() }
        func counts() throws(StoreError) -> LeaseCounts { try store.counts() }
    }

    private static func bodies(_ count: Int) -> [String] {
        (0..<count).map { batch in
            let items = (0..<100).map { #"{"channelName":"b\#(batch)-\#($0)","uid":1}"# }
            return #"{"requests":[\#(items.joined(separator: ","))]}"#
        }
    }

    @Test func transactionsAreBoundedAndEachItemIsAnswered() throws {
        let file = try TemporaryDatabase()
        let store = CountingStore(try file.database.open())
        let bench = try Bench(store: store)
        let deliveries = Self.bodies(25).enumerated().map { Bench.delivery($1, number: UInt64($0 + 1)) }

        store.failing = 2
        #expect(throws: StoreError.self) { try bench.issue(deliveries) }
        let batch = try bench.issue(deliveries, isRetry: true)
        #expect(store.sizes == [1000, 1000, 1000, 1000, 500])
        #expect(try store.counts().live == 2500)

        #expect(batch.entries.map(\.receipt) == deliveries.map(\.tag))
        for (number, entry) in batch.entries.enumerated() {
            let reply = try BatchReply(entry.message.body)
            let channels = reply.results.map { result -> String? in
                guard case .token(let token) = result else { return nil }
                return token.scope.channelName
            }
            #expect(channels == (0..<100).map { "b\(number)-\($0)" })
        }
    }
}
