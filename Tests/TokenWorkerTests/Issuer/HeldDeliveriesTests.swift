// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Testing

@testable import TokenWorker

/// Which deliveries are answered together, and which alone.
@Suite struct HeldDeliveriesTests {
    private func delivery(_ number: UInt64, after earlier: Int64) -> Delivery {
        Bench.delivery("{}", number: number, isRedelivered: earlier > 0) { properties in
            properties.headers = ["x-delivery-count": .integer(earlier)]
        }
    }

    @Test func whatIsUnsuspectedComesAtOnceAndInOrder() {
        var held = HeldDeliveries()
        let now = ContinuousClock.now
        #expect(held.isEmpty && held.nextDue(now) == nil)
        let deliveries = (1...5).map { delivery($0, after: 2) }
        held.add(deliveries)
        #expect(held.next(now) == deliveries && held.nextDue(now) == now)
        held.remove(now)
        #expect(held.isEmpty)
    }

    @Test func suspectsComeAloneAndWithPauses() {
        var held = HeldDeliveries()
        var now = ContinuousClock.now
        held.add([delivery(1, after: 3), delivery(2, after: 0), delivery(3, after: 7)])
        let first = held.next(now)
        #expect(first.count == 1 && first[0].earlierDeliveries >= 3)
        held.remove(now)
        // The others do not wait for the pause to end.
        #expect(held.next(now) == [delivery(2, after: 0)])
        held.remove(now)
        #expect(held.next(now).isEmpty && !held.isEmpty)
        now = now.advanced(by: HeldDeliveries.pause)
        #expect(held.nextDue(now) == now)
        let second = held.next(now)
        #expect(second.count == 1 && second != first)
        held.remove(now)
        #expect(held.isEmpty)
    }

    @Test func withoutTheBrokersFlagTheHeaderIsAnybodys() {
        let forged = Bench.delivery("{}", number: 1) { $0.headers = ["x-delivery-count": .integer(99)] }
        #expect(forged.earlierDeliveries == 0)
    }

    /// One of ten messages kills the worker whenever it is worked on: it alone reaches the limit.
    @Test func theInnocentAreAnsweredBeforeTheLimit() {
        let guilty: UInt64 = 4
        var waiting = Set<UInt64>(1...10)
        for earlier in 0..<MessagePlanner.standardDeliveryLimit {
            var held = HeldDeliveries()
            held.add(waiting.sorted().map { delivery($0, after: earlier) })
            var now = ContinuousClock.now
            while true {
                let batch = held.next(now)
                // A crash: nothing of the batch is acknowledged, and all that is left comes again.
                if batch.contains(where: { $0.tag == Bench.tag(guilty) }) { break }
                waiting = waiting.filter { number in !batch.contains { $0.tag == Bench.tag(number) } }
                held.remove(now)
                now = now.advanced(by: HeldDeliveries.pause)
            }
        }
        #expect(waiting == [guilty])
    }
}
