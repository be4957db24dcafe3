// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import Testing
import TokenMessages

@testable import TokenWorker

@Suite("Leases that the worker renews by itself")
struct PlannedRenewalTests {
    private let order = AutoRenew(until: .max, replyTo: "reply.alice")

    private func bench(_ order: AutoRenew? = nil, expire: UInt32 = 600) throws -> (SchedulerBench, Lease) {
        let bench = try SchedulerBench()
        return (bench, try bench.issue(expire: expire, leads: [60], renewal: order ?? self.order))
    }

    private func row(_ bench: SchedulerBench, _ lease: Lease) throws -> Lease? {
        try bench.store.leases([lease.key])[0]
    }

    /// The broker speaks of tokens.
    private func settle(
        _ bench: SchedulerBench, _ tokens: [TokenPublication], _ result: NoticeOutcome.Result = .confirmed
    ) -> [NoticePublication] {
        bench.turn(.init(outcomes: tokens.map { NoticeOutcome(ticket: $0.ticket, result: result) }))
    }

    /// The postponements since this was last asked, by their reasons.
    private func postponements(_ bench: SchedulerBench) -> [String] {
        bench.events().compactMap { if case .postponed(_, let reason) = $0 { reason } else { nil } }
    }

    @Test func theTokenComesFirstAndThenTheNotice() throws {
        let (bench, first) = try bench()
        bench.advance(to: Int64(first.expiresAt - 60) * 1000)
        // The renewal takes the place of the warning.
        #expect(bench.turn().isEmpty)
        let second = try #require(try row(bench, first))
        #expect(second.generation > first.generation && second.expiresAt == first.expiresAt + 540)
        #expect(second.renewal?.done == 1)

        #expect(bench.turn().isEmpty)
        let tokens = bench.publisher.takeTokens()
        #expect(tokens.map(\.message.address) == ["reply.alice"])
        let properties = tokens[0].message.properties
        #expect(properties.type == "token.renewed" && properties.correlationID == Array("c1".utf8))
        guard case .renewed(let reply) = tokens[0].message.reply else {
            Issue.record("\(tokens[0].message.reply)")
            return
        }
        #expect(reply.generation == second.generation && reply.expiresAt == second.expiresAt)
        #expect(reply.token.hasPrefix("007"))

        let notices = settle(bench, tokens)
        #expect(notices.map(\.notice.kind) == [.renewed] && notices.map(\.notice.generation) == [second.generation])
        #expect(bench.settle(notices).isEmpty)
        bench.advance(to: Int64(first.expiresAt) * 1000)
        #expect(bench.turn().isEmpty)
    }

    @Test func itGoesOnUntilTheOrderEnds() throws {
        let (bench, first) = try bench(AutoRenew(until: .max, most: 3, replyTo: "reply.alice"))
        var renewals = 0
        var kinds: [NoticeKind] = []
        for _ in 0..<3000 where try row(bench, first) != nil {
            bench.advance(1)
            var notices = bench.turn()
            for _ in 0..<3 {
                kinds += notices.map(\.notice.kind)
                let tokens = bench.publisher.takeTokens()
                renewals += tokens.count
                notices =
                    bench.turn(
                        .init(
                            outcomes: (notices.map(\.ticket) + tokens.map(\.ticket)).map {
                                NoticeOutcome(ticket: $0, result: .confirmed)
                            }))
            }
        }
        #expect(renewals == 3)
        #expect(kinds == [.renewed, .renewed, .renewed, .willExpire, .expired])
        let (other, lease) = try self.bench(AutoRenew(until: first.expiresAt - 61, replyTo: "reply.alice"))
        other.advance(to: Int64(lease.expiresAt - 60) * 1000)
        #expect(other.turn().map(\.notice.kind) == [.willExpire])
    }

    @Test func aCrashAfterTheRenewalCostsNoToken() throws {
        let (bench, first) = try bench()
        bench.advance(to: Int64(first.expiresAt - 60) * 1000)
        _ = bench.turn()
        _ = bench.turn()
        let lost = bench.publisher.takeTokens()
        #expect(lost.count == 1)
        bench.killAndRestart()
        bench.advance(11)
        _ = bench.turn()
        let again = bench.publisher.takeTokens()
        #expect(again.map(\.message.reply) == lost.map(\.message.reply))
        #expect(again.map(\.message.properties.messageID) == lost.map(\.message.properties.messageID))
    }

    @Test func aCancelledLeaseIsNotRenewed() throws {
        let (bench, first) = try bench()
        bench.advance(100)
        try bench.cancel(first)
        bench.advance(to: Int64(first.expiresAt - 60) * 1000)
        #expect(bench.turn().map(\.notice.kind) == [.cancelled])
        #expect(bench.publisher.takeTokens().isEmpty)
        #expect(try row(bench, first)?.isCancelled == true)
    }

    @Test("B20, B24: what nobody takes is tried again at growing pauses, a bounded number of times, and ends once")
    func aTokenThatNobodyTakesIsTriedAgainAndThenSaid() throws {
        let (bench, first) = try bench()
        bench.advance(to: Int64(first.expiresAt - 60) * 1000)
        _ = bench.turn()
        let second = try #require(try row(bench, first))
        var tries = 0
        var notices: [Notice] = []
        var sent = bench.turn()
        for _ in 0..<700 {
            let tokens = bench.publisher.takeTokens()
            tries += tokens.count
            notices += sent.map(\.notice)
            let outcomes =
                tokens.map { NoticeOutcome(ticket: $0.ticket, result: .unroutable) }
                + sent.map { NoticeOutcome(ticket: $0.ticket, result: .confirmed) }
            sent = bench.turn(.init(outcomes: outcomes))
            if sent.isEmpty { bench.advance(1) }
        }
        // 0, 1, 3, 7, 15 and 31 s after the first, and then every half minute.
        #expect((20...26).contains(tries))
        #expect(Set(postponements(bench)) == ["reply_undeliverable"])
        #expect(notices.map(\.kind) == [.willExpire, .renewalFailed, .expired])
        #expect(notices.map(\.generation) == [second.generation, second.generation, second.generation])
        #expect(notices[1].reason == "reply_undeliverable" && notices[1].plannedAt == second.expiresAt)
        #expect(notices[0].plannedAt == second.expiresAt - 60)
        // No further renewal for a queue that is not there.
        #expect(try row(bench, first) == nil)
    }

    @Test func aTokenThatIsTakenLaterIsFollowedByItsNotice() throws {
        let (bench, first) = try bench()
        bench.advance(to: Int64(first.expiresAt - 60) * 1000)
        _ = bench.turn()
        _ = bench.turn()
        #expect(settle(bench, bench.publisher.takeTokens(), .unroutable).isEmpty)
        bench.advance(1)
        #expect(bench.turn().isEmpty)
        let again = bench.publisher.takeTokens()
        #expect(again.count == 1)
        #expect(settle(bench, again).map(\.notice.kind) == [.renewed])
    }

    @Test("B19: a renewal that fails is tried again while the token is valid, and then said to have failed")
    func whatPolicyForbidsIsTriedAgainWhileTheTokenIsValid() throws {
        let (bench, first) = try bench()
        bench.authority.refusal.change { $0 = MessageError(.policyDenied, "no") }
        bench.advance(to: Int64(first.expiresAt - 60) * 1000)
        #expect(bench.turn().isEmpty)
        // The backend is warned as if nobody were renewing.
        let warning = bench.turn()
        #expect(warning.map(\.notice.kind) == [.willExpire])
        #expect(bench.settle(warning).isEmpty)
        bench.advance(10)
        _ = bench.turn()
        #expect(Set(postponements(bench)) == ["policy_denied"])
        bench.advance(to: Int64(first.expiresAt) * 1000)
        let failure = bench.turn()
        #expect(failure.map(\.notice.kind) == [.renewalFailed] && failure[0].notice.reason == "policy_denied")
        #expect(bench.settle(failure).map(\.notice.kind) == [.expired])
        #expect(bench.publisher.takeTokens().isEmpty)
    }

    @Test func whatIsTriedAgainIsWrittenDownOnce() throws {
        let (bench, first) = try bench()
        let denied = MessageError(.policyDenied, "no")
        bench.authority.refusal.change { $0 = denied }
        bench.advance(to: Int64(first.expiresAt - 60) * 1000)
        for _ in 0..<50 {
            _ = bench.settle(bench.turn())
            bench.advance(1)
        }
        #expect(postponements(bench).count > 3)
        #expect(bench.authority.records.value == [.error(denied)])
        // By the clock that leases go by, whatever the machine's says.
        #expect(bench.authority.recordTimes.value == [Int64(first.expiresAt - 60) * 1000])
    }

    /// No token leaves without its line in the audit, and the renewal is not lost either.
    @Test func aTokenWaitsUntilItCanBeWrittenDown() throws {
        let (bench, first) = try bench()
        bench.authority.recordFault.change { $0 = "no space" }
        bench.advance(to: Int64(first.expiresAt - 60) * 1000)
        for _ in 0..<20 {
            _ = bench.turn()
            #expect(bench.publisher.takeTokens().isEmpty)
            bench.advance(1)
        }
        let second = try #require(try row(bench, first))
        #expect(second.generation > first.generation)
        bench.authority.recordFault.change { $0 = nil }
        bench.advance(15)
        _ = bench.turn()
        let tokens = bench.publisher.takeTokens()
        #expect(tokens.map(\.message.reply) == bench.authority.records.value && tokens.count == 1)
        #expect(settle(bench, tokens).map(\.notice.kind) == [.renewed])
    }

    @Test func aWorkerThatComesTooLateRenewsNothing() throws {
        let (bench, first) = try bench()
        bench.advance(to: Int64(first.expiresAt + 5) * 1000)
        let failure = bench.turn()
        #expect(failure.map(\.notice.kind) == [.renewalFailed])
        #expect(failure[0].notice.missed == [.init(kind: .willExpire, plannedAt: first.expiresAt - 60)])
        #expect(bench.settle(failure).map(\.notice.kind) == [.expired])
    }

    @Test func aStoreThatGoesAwayMeanwhileCostsNothing() throws {
        let (bench, first) = try bench()
        bench.advance(to: Int64(first.expiresAt - 60) * 1000)
        _ = bench.turn()
        _ = bench.turn()
        // The connection to the broker went before it spoke: the same token again.
        let lost = bench.publisher.takeTokens()
        #expect(settle(bench, lost, .failed).isEmpty)
        bench.advance(3)
        _ = bench.turn()
        #expect(bench.publisher.takeTokens().map(\.message.reply) == lost.map(\.message.reply))
    }

    @Test func aRenewalByMessageKeepsThePlan() throws {
        let (bench, first) = try bench()
        bench.advance(300)
        let second = try bench.renew(first, message: "r1")
        #expect(second.renewal == first.renewal)
        let told = bench.turn()
        #expect(told.map(\.notice.kind) == [.renewed])
        #expect(bench.settle(told).isEmpty)
        bench.advance(to: Int64(second.expiresAt - 60) * 1000)
        _ = bench.turn()
        #expect(try row(bench, first)?.renewal?.done == 1)
    }
}
