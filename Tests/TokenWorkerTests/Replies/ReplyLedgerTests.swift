// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenWorker

@Suite struct ReplyLedgerTests {
    typealias Ledger = ReplyLedger<String, String, String>

    let start = ContinuousClock.now

    func entry(_ name: String, mustArrive: Bool = false, to address: String = "reply.a") -> Ledger.Entry {
        .init(
            receipt: "delivery \(name)", message: name, address: address, mustArrive: mustArrive,
            claim: "lease \(name)")
    }

    @Test func aConfirmedReplyAcknowledgesItsDeliveryOnce() {
        var ledger = Ledger()
        let first = ledger.enter(entry("a"))
        let second = ledger.enter(entry("b"))
        #expect(acknowledged(ledger.settle(second, .confirmed, at: start)) == "delivery b")
        #expect(acknowledged(ledger.settle(first, .confirmed, at: start)) == "delivery a")
        #expect(ledger.count == 0)
        guard case .unknown = ledger.settle(first, .confirmed, at: start) else {
            Issue.record("a second confirmation settled something")
            return
        }
    }

    @Test func aSharedReceiptWaitsForTheLastOfItsPublications() {
        var ledger = Ledger()
        let ids = (0..<3).map { _ in
            var shared = entry("a", mustArrive: true)
            shared.sharesReceipt = true
            return ledger.enter(shared)
        }
        #expect(acknowledged(ledger.settle(ids[2], .confirmed, at: start)) == nil)
        guard case .giveUp(let given, _) = ledger.settle(ids[0], .unsendable, at: start) else {
            Issue.record("not given up")
            return
        }
        #expect(given.receipt == nil)
        #expect(acknowledged(ledger.settle(ids[1], .confirmed, at: start)) == "delivery a")
        #expect(ledger.count == 0)
    }

    @Test func whatTheConnectionLostIsPublishedAgainInOrderUnderItsNumbers() {
        var ledger = Ledger()
        let ids = ["a", "b", "c"].map { ledger.enter(entry($0)) }
        for id in ids.reversed() { _ = ledger.settle(id, .lost, at: start) }
        #expect(ledger.reconnected().map(\.message) == ["a", "b", "c"])
        #expect(ledger.reconnected().isEmpty)
        #expect(ledger.count == 3)
        #expect(acknowledged(ledger.settle(ids[1], .confirmed, at: start)) == "delivery b")
    }

    @Test func aClaimThatArrivedWithAnotherReplyIsNotUndone() {
        var ledger = Ledger()
        let first = ledger.enter(entry("a"))
        let other = ledger.enter(entry("b"))
        let again = ledger.enter(entry("a", to: "reply.new"))
        for id in [first, other] { _ = ledger.settle(id, .unroutable, at: start) }
        #expect(acknowledged(ledger.settle(again, .confirmed, at: start)) == "delivery a")
        let end = start.advanced(by: .seconds(5))
        for (id, claim) in [(first, nil), (other, "lease b")] {
            guard case .giveUp(let given, _) = ledger.settle(id, .unroutable, at: end) else {
                Issue.record("not given up")
                return
            }
            #expect(given.claim == claim)
        }
    }

    @Test func anUnroutableReplyIsTriedForFiveSecondsThenGivenUp() {
        var ledger = Ledger()
        let id = ledger.enter(entry("a"))
        var now = start
        var tries = 0
        var step = ledger.settle(id, .unroutable, at: now)
        while case .wait = step, tries < 100 {
            guard let due = ledger.nextDue else { break }
            #expect(due > now)
            now = due
            #expect(ledger.due(now).map(\.id) == [id])
            tries += 1
            step = ledger.settle(id, .unroutable, at: now)
        }
        guard case .giveUp(let entry, .unroutable) = step else {
            Issue.record("not given up")
            return
        }
        #expect(entry.claim == "lease a")
        #expect(now == start.advanced(by: .seconds(5)))
        #expect((5...20).contains(tries))
        #expect(ledger.count == 0)
    }

    @Test("Report27: a reply queue that appears in time gets its reply")
    func aQueueThatAppearsInTimeGetsItsReply() {
        var ledger = Ledger()
        let id = ledger.enter(entry("a"))
        _ = ledger.settle(id, .unroutable, at: start)
        #expect(ledger.due(start).isEmpty)
        let later = start.advanced(by: .seconds(1))
        #expect(ledger.due(later).map(\.message) == ["a"])
        #expect(acknowledged(ledger.settle(id, .confirmed, at: later)) == "delivery a")
        #expect(ledger.nextDue == nil)
    }

    @Test("B07 of the broker: a dead letter is published with confirms, and never given up")
    func aDeadLetterIsNeverGivenUp() {
        var ledger = Ledger()
        let id = ledger.enter(entry("a", mustArrive: true))
        var now = start
        guard case .stuck(let entry, .refused) = ledger.settle(id, .refused, at: now) else {
            Issue.record("nobody hears of it")
            return
        }
        #expect(entry.message == "a")
        // A worker that ends does not wait for it: the delivery goes back to its queue.
        #expect(ledger.isDone)
        let reply = ledger.enter(self.entry("b"))
        #expect(!ledger.isDone)
        _ = ledger.settle(reply, .confirmed, at: now)
        for _ in 0..<50 {
            now = now.advanced(by: .seconds(2))
            #expect(ledger.due(now).map(\.id) == [id])
            guard case .wait = ledger.settle(id, .refused, at: now) else {
                Issue.record("given up, or told again")
                return
            }
        }
        #expect(acknowledged(ledger.settle(id, .confirmed, at: now)) == "delivery a")
        #expect(ledger.isDone)
        #expect(ledger.count == 0)
    }

    @Test func aCallerThatDiedTakesNoMoreThanItsShare() {
        var ledger = Ledger()
        var givenUp = 0
        for number in 0..<100 {
            let id = ledger.enter(entry("\(number)", to: "amq.gen-dead"))
            if case .giveUp = ledger.settle(id, .unroutable, at: start) { givenUp += 1 }
        }
        #expect(givenUp == 84)
        #expect(ledger.count == 16)
        // Another caller still has the whole time.
        let other = ledger.enter(entry("other", to: "reply.late"))
        guard case .wait = ledger.settle(other, .unroutable, at: start) else {
            Issue.record("another caller's reply was given up")
            return
        }
    }

    @Test("B12 of the broker: a refused reply is tried for a while, then its delivery goes back, whoever else waits")
    func aRefusedReplyGoesBack() {
        var ledger = Ledger()
        let ids = (0..<100).map { ledger.enter(entry("\($0)", to: "reply.full")) }
        for id in ids {
            guard case .wait = ledger.settle(id, .refused, at: start) else {
                Issue.record("not kept")
                return
            }
        }
        #expect(ledger.count == 100)
        #expect(acknowledged(ledger.settle(ids[0], .confirmed, at: start)) == "delivery 0")
        let late = start.advanced(by: .seconds(5))
        #expect(ledger.due(late).count == 99)
        guard case .giveBack("delivery 1", let entry) = ledger.settle(ids[1], .refused, at: late) else {
            Issue.record("not given back")
            return
        }
        #expect(entry.address == "reply.full" && ledger.count == 98)
        // A queue that vanishes meanwhile is one of those that nobody takes from.
        guard case .giveUp(_, .unroutable) = ledger.settle(ids[2], .unroutable, at: late) else {
            Issue.record("not given up")
            return
        }
    }

    @Test func thoseThatArriveMakeRoom() {
        var ledger = Ledger()
        let first = (0..<16).map { _ in ledger.enter(entry("a")) }
        for id in first { _ = ledger.settle(id, .unroutable, at: start) }
        for id in first { _ = ledger.settle(id, .confirmed, at: start) }
        let next = ledger.enter(entry("b"))
        guard case .wait = ledger.settle(next, .unroutable, at: start) else {
            Issue.record("there is room")
            return
        }
    }

    @Test func theWorldsDeadCallersTogetherTakeABoundedShare() {
        var ledger = Ledger()
        for number in 0..<1000 {
            let id = ledger.enter(entry("\(number)", to: "amq.gen-\(number)"))
            _ = ledger.settle(id, .unroutable, at: start)
        }
        #expect(ledger.count == 64)
    }

    @Test func whatIsLostOnAStandingConnectionIsPublishedAgainAfterAPause() {
        var ledger = Ledger()
        let id = ledger.enter(entry("a"))
        _ = ledger.settle(id, .lost, at: start)
        let due = start.advanced(by: .seconds(1))
        #expect(ledger.nextDue == due)
        #expect(ledger.due(start).isEmpty)
        #expect(ledger.due(due, publisherIsReady: false).isEmpty)
        // While the connection is away the ledger neither publishes nor keeps its owner awake.
        #expect(ledger.nextDue == due.advanced(by: .seconds(1)))
        #expect(ledger.due(due.advanced(by: .seconds(1))).map(\.id) == [id])
        #expect(ledger.nextDue == nil)
    }

    @Test func whatWentBackToItsQueueIsNotAnsweredTwice() {
        var ledger = Ledger()
        let inFlight = ledger.enter(entry("flying"))
        let lost = ledger.enter(entry("lost"))
        let unroutable = ledger.enter(entry("unroutable"))
        let dead = ledger.enter(entry("dead", mustArrive: true))
        _ = ledger.settle(lost, .lost, at: start)
        _ = ledger.settle(unroutable, .unroutable, at: start)
        ledger.orphan()
        #expect(ledger.count == 2)
        _ = ledger.settle(inFlight, .lost, at: start)
        _ = ledger.settle(dead, .lost, at: start)
        #expect(ledger.reconnected().isEmpty)
        #expect(ledger.due(start.advanced(by: .seconds(60))).isEmpty)
        #expect(ledger.count == 0)
        // What comes afterwards is of the new connection.
        let next = ledger.enter(entry("next"))
        _ = ledger.settle(next, .lost, at: start)
        #expect(ledger.reconnected().map(\.message) == ["next"])
    }

    @Test func whatCannotBeSentIsGivenUpAtOnce() {
        var ledger = Ledger()
        let id = ledger.enter(entry("a"))
        guard case .giveUp(let entry, .unsendable) = ledger.settle(id, .unsendable, at: start) else {
            Issue.record("kept")
            return
        }
        #expect(entry.receipt == "delivery a")
    }

    private func acknowledged(_ step: Ledger.Step) -> String? {
        guard case .acknowledge(let receipt) = step else { return nil }
        return receipt
    }
}
