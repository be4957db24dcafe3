// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import LeaseStore
import Testing
import TokenMessages

@testable import TokenWorker

/// What the issuer counts of real messages.
@Suite struct BatchTallyTests {
    private let good = #"{"channelName":"test","uid":1}"#

    private func count(_ tally: BatchTally) -> [RequestOutcome: UInt64] {
        Dictionary(tally.outcomes.entries.map { ($0.label, $0.count) }, uniquingKeysWith: +)
    }

    @Test func outcomesOfEveryKind() throws {
        let database = try TemporaryDatabase()
        let bench = try Bench(store: database.database.open())
        let token = try bench.token(for: Bench.delivery(good)).token
        let tally = try bench.tally([
            Bench.delivery(good, number: 1), Bench.delivery(good, number: 2),
            Bench.delivery(#"{"service":"rtm","userId":"u"}"#, number: 3),
            Bench.delivery(#"{"channelName":"test","uid":-1}"#, number: 4),
            Bench.delivery("{", number: 5),
            Bench.delivery(good, number: 6, replyTo: nil),
            Bench.delivery(#"{"channelName":"test","uid":1,"dryRun":true}"#, number: 7),
            Bench.delivery(.renew, #"{"token":"\#(token)"}"#, number: 8),
            Bench.delivery(.cancel, #"{"leaseId":"none"}"#, number: 9),
            Bench.delivery(#"{"token":"\#(token)"}"#, number: 10) { $0.type = "token.explain" },
        ])
        #expect(
            count(tally) == [
                RequestOutcome(kind: .request, service: .rtc): 3, RequestOutcome(kind: .request, service: .rtm): 1,
                RequestOutcome(kind: .request, code: .invalidUID): 1,
                RequestOutcome(kind: .request, code: .malformedJSON): 1,
                RequestOutcome(kind: .request, code: .missingReplyTo, isDead: true): 1,
                // Two requests have taken the lease over since.
                RequestOutcome(kind: .renew, code: .leaseSuperseded): 1,
                RequestOutcome(kind: .cancel, code: .leaseNotFound): 1,
                RequestOutcome(kind: .explain): 1,
            ])
        #expect(tally.messages == [8, 1, 1])
        #expect(tally.commits.count == 1 && tally.commits.allSatisfy { $0 > .zero })
        #expect(tally.waits.count == 0)
    }

    @Test func theItemsOfABatchCountAndNotTheBatch() throws {
        let body = #"{"requests":[\#(good),{"channelName":"test"},{"service":"rtm","userId":"u"},\#(good)]}"#
        let tally = try Bench().tally([Bench.delivery(body)])
        #expect(
            count(tally) == [
                RequestOutcome(kind: .request, service: .rtc): 2, RequestOutcome(kind: .request, service: .rtm): 1,
                RequestOutcome(kind: .request, code: .missingField): 1,
            ])
        #expect(tally.messages == [1, 0, 0])
    }

    /// What is a dead letter is counted as one, once for each message.
    @Test func aCancellationThatNobodyIsAnsweredFor() throws {
        let database = try TemporaryDatabase()
        let bench = try Bench(store: database.database.open())
        _ = try bench.token(for: Bench.delivery(#"{"channelName":"test","uid":1,"leaseId":"mine"}"#))
        let tally = try bench.tally([
            Bench.delivery(.cancel, #"{"leaseId":"none"}"#, number: 1, replyTo: nil),
            Bench.delivery(
                .cancel, #"{"cancellations":[{"leaseId":"mine"},{"leaseId":"none"},{"leaseId":7}]}"#, number: 2,
                replyTo: nil),
        ])
        #expect(
            count(tally) == [
                RequestOutcome(kind: .cancel, service: .rtc): 1,
                RequestOutcome(kind: .cancel, code: .leaseNotFound, isDead: true): 2,
                RequestOutcome(kind: .cancel, code: .invalidLeaseID): 1,
            ])
    }

    /// The bench's clock says 1790000000.000.
    @Test(
        arguments: [
            (1_790_000_000, nil, 0.0), (1_789_999_997, nil, 3.0), (1_789_999_997, 1_789_999_999_750, 0.25),
            // A clock that is ahead; one in milliseconds; one that was never set.
            (1_790_000_009, nil, 0.0), (1_790_000_000_000, nil, nil), (12, nil, nil), (.max, nil, nil),
            (1_790_000_000, .min, nil), (1_790_000_000, .max, nil),
        ] as [(UInt64, Int64?, Double?)])
    func waits(_ timestamp: UInt64, _ milliseconds: Int64?, _ expected: Double?) throws {
        let delivery = Bench.delivery(good) { properties in
            properties.timestamp = timestamp
            if let milliseconds { properties.headers = ["timestamp_in_ms": .integer(milliseconds)] }
        }
        let waits = try Bench().tally([delivery]).waits
        #expect(waits.count == (expected == nil ? 0 : 1))
        #expect(waits.sum == expected ?? 0)
    }
}
