// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import FakeBroker
import Testing

@testable import AMQP

@Suite struct ConfirmTrackerTests {
    private func tracker(publishing ids: ClosedRange<UInt64>) -> ConfirmTracker {
        var tracker = ConfirmTracker()
        for id in ids { tracker.published(id: id, key: nil, now: id) }
        return tracker
    }

    private func ack(_ number: UInt64, multiple: Bool = false) -> Confirm {
        Confirm(number: number, isMultiple: multiple, isPositive: true)
    }

    private func nack(_ number: UInt64, multiple: Bool = false) -> Confirm {
        Confirm(number: number, isMultiple: multiple, isPositive: false)
    }

    @Test func singleConfirmsSettleInAnyOrder() {
        var tracker = tracker(publishing: 101...103)
        var outcomes: [PublishOutcome] = []
        tracker.confirmed(ack(3), into: &outcomes)
        tracker.confirmed(ack(1), into: &outcomes)
        #expect(outcomes == [103, 101].map { PublishOutcome(id: $0, result: .confirmed) })
        #expect(tracker.outstanding == 1)
    }

    @Test func aMultipleConfirmSettlesAllUpToIt() {
        var tracker = tracker(publishing: 101...105)
        var outcomes: [PublishOutcome] = []
        tracker.confirmed(ack(2), into: &outcomes)
        tracker.confirmed(nack(4, multiple: true), into: &outcomes)
        #expect(outcomes.map(\.id) == [102, 101, 103, 104])
        #expect(outcomes.map(\.result) == [.confirmed, .nacked, .nacked, .nacked])
        #expect(tracker.outstanding == 1)
    }

    @Test("Every publication has one outcome, whatever the broker repeats or invents")
    func settlesOnce() {
        var tracker = tracker(publishing: 1...3)
        var outcomes: [PublishOutcome] = []
        for number: UInt64 in [2, 2, 0, 4, .max] { tracker.confirmed(ack(number), into: &outcomes) }
        tracker.confirmed(ack(.max, multiple: true), into: &outcomes)
        tracker.confirmed(ack(2, multiple: true), into: &outcomes)
        tracker.lose(AMQPError(.disconnected, ""), into: &outcomes)
        #expect(outcomes.map(\.id) == [2, 1, 3])
        #expect(tracker.outstanding == 0)
        tracker.lose(AMQPError(.disconnected, ""), into: &outcomes)
        #expect(outcomes.count == 3)
    }

    @Test("Report24: what is lost leaves nothing behind, and the numbers begin anew")
    func losesEverything() {
        var tracker = tracker(publishing: 1...10_000)
        var outcomes: [PublishOutcome] = []
        let error = AMQPError(.disconnected, "gone")
        tracker.lose(error, into: &outcomes)
        #expect(outcomes.count == 10_000)
        #expect(outcomes.allSatisfy { $0.result == .lost(error) })
        tracker.published(id: 77, key: nil, now: 0)
        tracker.confirmed(ack(1), into: &outcomes)
        #expect(outcomes.last == PublishOutcome(id: 77, result: .confirmed))
    }

    private func key(_ queue: String, _ messageID: String) -> ConfirmTracker.ReturnKey {
        ConfirmTracker.ReturnKey(
            exchange: "", routingKey: queue, messageID: Array(messageID.utf8), correlationID: [1])
    }

    private func returned(_ queue: String, _ messageID: String) -> (ReturnMethod, MessageProperties) {
        var properties = MessageProperties()
        properties.messageID = messageID
        properties.correlationID = [1]
        return (ReturnMethod(code: 312, text: "NO_ROUTE", exchange: "", routingKey: queue), properties)
    }

    @Test("B02: a return tells the confirm after it that nobody took the message")
    func remembersReturns() {
        var tracker = ConfirmTracker()
        for id: UInt64 in 1...3 { tracker.published(id: id, key: key("q\(id)", "m"), now: 0) }
        let (method, properties) = returned("q2", "m")
        tracker.returned(method, properties)
        var outcomes: [PublishOutcome] = []
        tracker.confirmed(ack(3, multiple: true), into: &outcomes)
        #expect(outcomes.map(\.result) == [.confirmed, .returned(code: 312, text: "NO_ROUTE"), .confirmed])
    }

    @Test func equalMessagesAreReturnedInTheirOrder() {
        var tracker = ConfirmTracker()
        for id: UInt64 in 1...4 { tracker.published(id: id, key: key("q", "m"), now: 0) }
        tracker.published(id: 5, key: nil, now: 0)
        let (method, properties) = returned("q", "m")
        for _ in 0..<3 { tracker.returned(method, properties) }
        var outcomes: [PublishOutcome] = []
        tracker.confirmed(ack(5, multiple: true), into: &outcomes)
        let noRoute = PublishOutcome.Result.returned(code: 312, text: "NO_ROUTE")
        #expect(outcomes.map(\.result) == [noRoute, noRoute, noRoute, .confirmed, .confirmed])
    }

    @Test func aReturnOfSomethingUnknownChangesNothing() {
        var tracker = ConfirmTracker()
        let (method, properties) = returned("q", "m")
        tracker.returned(method, properties)
        tracker.published(id: 1, key: key("q", "another"), now: 0)
        tracker.returned(method, properties)
        var outcomes: [PublishOutcome] = []
        tracker.confirmed(ack(1), into: &outcomes)
        #expect(outcomes.map(\.result) == [.confirmed])
    }

    @Test func waitsNoLongerThanTheLimit() {
        var tracker = tracker(publishing: 1...4)
        var outcomes: [PublishOutcome] = []
        tracker.confirmed(ack(2), into: &outcomes)
        let error = AMQPError(.timedOut, "")
        tracker.expire(publishedBefore: 4, error, into: &outcomes)
        #expect(outcomes.map(\.id) == [2, 1, 3])
        #expect(outcomes.last?.result == .lost(error))
        tracker.confirmed(ack(4, multiple: true), into: &outcomes)
        #expect(outcomes.map(\.id) == [2, 1, 3, 4])
    }

    @Test("A long run against a plain model: each outcome once, and the memory of what is settled goes")
    func agreesWithAModel() {
        var generator = SeededGenerator(seed: 4)
        var tracker = ConfirmTracker()
        var open: [UInt64] = []
        var published: UInt64 = 0
        var outcomes: [PublishOutcome] = []
        for _ in 0..<20_000 {
            if Bool.random(using: &generator) || open.isEmpty {
                published += 1
                tracker.published(id: published, key: nil, now: published)
                open.append(published)
            } else if let number = open.randomElement(using: &generator) {
                let isMultiple = UInt8.random(in: 0..<10, using: &generator) == 0
                tracker.confirmed(ack(number, multiple: isMultiple), into: &outcomes)
                open.removeAll { isMultiple ? $0 <= number : $0 == number }
            }
            #expect(tracker.outstanding == open.count)
        }
        let settled = outcomes.map(\.id)
        #expect(Set(settled).count == settled.count)
        #expect(Set(settled).union(open) == Set(1...published))
    }
}
