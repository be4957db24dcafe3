// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import TokenClient

/// What a keeper decides, under a clock that the tests turn.
@Suite struct KeepPlanTests {
    @Test func severalChannelsAreOneRequestAndOneRenewal() throws {
        let bench = PlanBench(["a", "b", "c"])
        #expect(try bench.serve(at: 0).kind == .request)
        #expect(bench.next(at: 29) == nil)
        #expect(bench.heard(.willExpire, "b", generation: 102, at: 29.5).isEmpty)
        let order = try bench.serve(at: 29.5)
        #expect(order.kind == .renew)
        #expect(order.positions == [0, 1, 2], "the others are due within seconds")
        #expect(bench.next(at: 30) == nil)
    }

    @Test func withoutANoticeItsOwnTimesCount() throws {
        let bench = PlanBench(["a"])
        _ = try bench.serve(at: 0)
        let wakeUp = try #require(bench.wakeUp)
        // Not before the notice, and with most of its lead left.
        #expect(wakeUp > 30 && wakeUp <= 32)
        #expect(bench.next(at: wakeUp)?.kind == .renew)
    }

    @Test("B27: a clock that is wrong by days changes nothing")
    func aWrongClockChangesNothing() throws {
        for skew: Int64 in [-900_000, 0, 900_000] {
            let bench = PlanBench(["a"])
            bench.skew = skew
            _ = try bench.serve(at: 0)
            #expect(bench.holds(0, at: 58))
            #expect(!bench.holds(0, at: 59.5))
        }
    }

    @Test("B24: while a token is valid it is served, and renewals are tried with growing pauses")
    func aValidTokenIsServedWhileRenewalsFail() throws {
        let bench = PlanBench(["a"], expire: 600)
        _ = try bench.serve(at: 0, lifetime: 600, lead: 300)
        var now = 303.0
        var (attempts, told) = (0, 0)
        while now < 500 {
            let order = try bench.order(at: now)
            #expect(order.kind == .renew)
            told += bench.failed(order, .timedOut, at: now).count
            attempts += 1
            now = try #require(bench.wakeUp)
            #expect(bench.holds(0, at: now))
        }
        #expect(attempts < 60, "\(attempts) attempts in 200 s")
        #expect(told == 1, "the same reason is told once")
        #expect(try bench.serve(at: 506, lifetime: 600, lead: 300).kind == .renew)
    }

    @Test("B20: what has run out is asked for, not renewed")
    func whatHasRunOutIsAskedFor() throws {
        let bench = PlanBench(["a"])
        _ = try bench.serve(at: 0)
        _ = bench.failed(try bench.order(at: 40), .unavailable("x"), at: 40)
        #expect(bench.next(at: 61)?.kind == .request)
    }

    @Test("B23: a message whose reply was lost is repeated under its id, and what it brings is no younger")
    func aLostReplyIsAskedForAgain() throws {
        let bench = PlanBench(["a"])
        let lost = try bench.order(at: 0)
        _ = bench.failed(lost, .unavailable("lost"), at: 1)
        let again = try bench.order(at: 3)
        #expect(again.messageID == lost.messageID)
        _ = bench.answered(again, [.success(bench.token("a", at: 0))], at: 3)
        #expect(bench.holds(0, at: 58))
        #expect(!bench.holds(0, at: 60))
        #expect(try bench.order(at: 40).messageID != lost.messageID)
    }

    @Test func noticesOfOlderGenerationsAndOfOtherLeasesSayNothing() throws {
        let bench = PlanBench(["a"])
        _ = try bench.serve(at: 0)
        for kind in [NoticeKind.willExpire, .expired, .cancelled] {
            #expect(bench.heard(kind, "a", generation: 100, at: 5).isEmpty)
        }
        #expect(bench.heard(.willExpire, "z", generation: 101, at: 5).isEmpty)
        #expect(bench.next(at: 6) == nil)
        #expect(!bench.plan.isOver)
    }

    @Test func aNoticeThatComesTwiceRenewsOnce() throws {
        let bench = PlanBench(["a"])
        _ = try bench.serve(at: 0)
        _ = bench.heard(.willExpire, "a", generation: 101, at: 29)
        #expect(try bench.serve(at: 29).kind == .renew)
        _ = bench.heard(.willExpire, "a", generation: 101, at: 29.1)
        #expect(bench.next(at: 29.2) == nil)
    }

    @Test func withoutALeaseATokenIsAskedForAgain() throws {
        let bench = PlanBench(["a"])
        _ = try bench.serve(at: 0, lead: 20, lease: false)
        #expect(bench.next(at: 39) == nil)
        #expect(bench.next(at: 43)?.kind == .request)
    }

    @Test(arguments: [ErrorCode.leaseNotFound, .tokenExpired, .leaseSuperseded])
    func whereTheLeaseIsGoneATokenIsAskedForAtOnceButNotInALoop(_ code: ErrorCode) throws {
        let bench = PlanBench(["a"])
        _ = try bench.serve(at: 0)
        let refusal = Result<TokenReply, MessageError>.failure(MessageError(code, "gone"))
        #expect(bench.answered(try bench.order(at: 33), [refusal], at: 33).updates.isEmpty)
        let ask = try bench.order(at: 33)
        #expect(ask.kind == .request)
        #expect(bench.answered(ask, [refusal], at: 33).updates.count == 1)
        #expect(bench.next(at: 33) == nil)
    }

    @Test func aRefusalThatStaysEndsItAndOneThatMayChangeIsTriedSeldom() throws {
        let bench = PlanBench(["a", "b"])
        let (no, notNow) = (MessageError(.invalidChannelName, "no"), MessageError(.policyDenied, "no"))
        let (updates, unwanted) = bench.answered(
            try bench.order(at: 0), [.failure(no), .failure(notNow)], at: 0, share: 0)
        #expect(updates == [.ended(.refused(no)), .failed(.refused(notNow))])
        #expect(unwanted.isEmpty)
        #expect(bench.next(at: 14) == nil)
        #expect(bench.next(at: 16)?.positions == [1])
    }

    @Test func aLeaseThatSomebodyCancelledIsOver() throws {
        let bench = PlanBench(["a"])
        _ = try bench.serve(at: 0)
        let updates = bench.heard(.cancelled, "a", generation: 102, at: 5)
        guard case .ended(.refused(let error)?)? = updates.first else {
            Issue.record("\(updates)")
            return
        }
        #expect(error.code == .leaseCancelled)
        #expect(bench.plan.isOver)
        #expect(bench.wakeUp == nil)
        #expect(bench.holds(0, at: 6), "the token itself is still good")
    }

    @Test func aTokenThatComesAfterTheEndIsUnwanted() throws {
        let bench = PlanBench(["a"])
        let order = try bench.order(at: 0)
        let (update, lease) = bench.end(0)
        #expect(update == .ended(nil))
        #expect(lease == nil)
        let late = bench.answered(order, [.success(bench.token("a", at: 1))], at: 1)
        #expect(late.updates.isEmpty)
        #expect(late.unwanted == ["l-a"])
        #expect(bench.end(0).update == nil, "an end is told once")
    }

    @Test(arguments: [(1, 0), (2, 1), (3, 1), (5, 2)] as [(UInt32, UInt32)])
    func theShortestLifetimesLeadToNoHotLoop(_ lifetime: UInt32, _ lead: UInt32) throws {
        let bench = PlanBench(["a"])
        var (seconds, orders) = (0.0, 0)
        while seconds < 60 {
            _ = try bench.serve(at: seconds, lifetime: lifetime, lead: lead)
            orders += 1
            let next = try #require(bench.wakeUp)
            #expect(next > seconds)
            seconds = next
        }
        #expect(orders <= Int(60 / (Double(lifetime) / 2)) + 1)
    }

    @Test func moreThanABatchHoldsAreSeveralMessages() throws {
        let bench = PlanBench((0..<250).map { "c\($0)" })
        let sizes = try (0..<3).map { _ in try bench.serve(at: 0).positions.count }
        #expect(sizes == [100, 100, 50])
        #expect(bench.next(at: 0) == nil)
    }
}
