// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import TokenClient

@Suite struct CallsTests {
    private func connected() -> Calls<String> {
        var calls = Calls<String>()
        _ = calls.consumes("amq.gen-1")
        _ = calls.publishes(true)
        return calls
    }

    private let reply = Reply.error(MessageError(.internal, "x"))

    @Test func aCallWaitsForBothConnections() {
        var calls = Calls<String>()
        #expect(calls.await(1, "a") == nil)
        #expect(calls.consumes("amq.gen-1").isEmpty)
        #expect(calls.address == nil)
        let woken = calls.publishes(true)
        #expect(woken.map(\.waiter) == ["a"])
        #expect(woken.allSatisfy { $0.result == .success(nil) })
        #expect(calls.address == "amq.gen-1")
        let atOnce = calls.await(2, "b")
        #expect(atOnce?.result == .success(nil))
    }

    @Test func eachReplyEndsItsOwnCallOnce() {
        var calls = connected()
        #expect(calls.expect(1, "a") == nil)
        #expect(calls.expect(2, "b") == nil)
        let second = calls.end(2, .success(reply))
        #expect(second?.waiter == "b")
        #expect(second?.result == .success(reply))
        let again = calls.end(2, .failure(.timedOut))
        #expect(again == nil)
        let first = calls.end(1, .failure(.timedOut))
        #expect(first?.waiter == "a")
    }

    @Test("Report33: when the replies' connection goes, every call fails at once, and the next one works")
    func whenTheRepliesConnectionGoesEveryCallFailsAtOnce() {
        var calls = connected()
        _ = calls.expect(1, "a")
        _ = calls.expect(2, "b")
        let lost = calls.consumes(nil)
        #expect(Set(lost.map(\.waiter)) == ["a", "b"])
        for ending in lost {
            guard case .failure(.unavailable) = ending.result else {
                Issue.record("\(ending.waiter) did not fail")
                return
            }
        }
        // The next one waits for the new queue and works.
        #expect(calls.await(3, "c") == nil)
        #expect(calls.consumes("amq.gen-2").map(\.waiter) == ["c"])
        #expect(calls.expect(3, "c") == nil)
        #expect(calls.end(3, .success(reply))?.waiter == "c")
    }

    @Test func aMessageIsNotSentIntoALostConnection() {
        var calls = connected()
        _ = calls.publishes(false)
        guard case .failure(.unavailable) = calls.expect(1, "a")?.result else {
            Issue.record("the call waits for a reply to nothing")
            return
        }
    }

    @Test func thePublishersLossAloneLeavesSentCallsWaiting() {
        var calls = connected()
        _ = calls.expect(1, "a")
        #expect(calls.publishes(false).isEmpty)
        #expect(calls.end(1, .success(reply))?.waiter == "a")
    }

    @Test func anUnreachableBrokerEndsOnlyThoseThatWaitForIt() {
        var calls = Calls<String>()
        #expect(calls.await(1, "a") == nil)
        let ended = calls.unreachable("refused")
        #expect(ended.map(\.waiter) == ["a"])
        #expect(ended.first?.result == .failure(.unavailable("refused")))
        #expect(calls.publishes(true).isEmpty)
    }
}

extension CallsTests {
    @Test func aCallThatEndsBetweenItsTwoWaitsHearsOfItAtTheSecond() {
        var calls = connected()
        calls.begin(1)
        #expect(calls.await(1, "a")?.result == .success(nil))
        // Its time is up before it has begun to wait for the reply: else it would wait for ever.
        #expect(calls.end(1, .failure(.timedOut)) == nil)
        #expect(calls.expect(1, "a")?.result == .failure(.timedOut))
    }

    @Test func aCallThatIsCancelledBeforeItWaitsDoesNotWait() {
        var calls = Calls<String>()
        calls.begin(1)
        #expect(calls.end(1, .failure(.cancelled)) == nil)
        #expect(calls.await(1, "a")?.result == .failure(.cancelled))
    }

    @Test func nothingIsLeftOfACallThatIsFinished() {
        var calls = connected()
        for call: UInt64 in 1...3 { calls.begin(call) }
        #expect(calls.expect(1, "a") == nil)
        #expect(calls.end(1, .success(reply))?.waiter == "a")
        #expect(calls.expect(2, "b") == nil)
        #expect(calls.end(2, .failure(.timedOut))?.waiter == "b")
        #expect(calls.count == 3)
        for call: UInt64 in 1...3 { calls.finish(call) }
        #expect(calls.count == 0)
        // The reply of a call that nobody waits for any more.
        #expect(calls.end(2, .success(reply)) == nil)
        #expect(calls.count == 0)
    }

    @Test func whenTheClientIsClosedEveryCallEndsAndEveryLaterOne() {
        var calls = Calls<String>()
        calls.begin(1)
        #expect(calls.await(1, "a") == nil)
        #expect(calls.close().map(\.waiter) == ["a"])
        calls.begin(2)
        guard case .failure(.unavailable) = calls.await(2, "b")?.result else {
            Issue.record("a closed client is waited for")
            return
        }
    }
}

extension Calls.Ending: Equatable where Waiter: Equatable {
    static func == (a: Self, b: Self) -> Bool { a.waiter == b.waiter && a.result == b.result }
}
