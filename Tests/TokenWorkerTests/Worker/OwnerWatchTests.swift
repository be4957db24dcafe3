// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Testing

@testable import TokenWorker

@Suite struct OwnerWatchTests {
    let start = ContinuousClock.now
    let locked = ConnectionState.unreachable(AMQPError(.resourceLocked, "locked"), retryAfter: .seconds(1))

    @Test func aSecondWorkerIsRefusedAfterTheTimeOfARestart() {
        let watch = OwnerWatch()
        watch.note(locked, at: start)
        watch.note(.connecting(attempt: 2), at: start.advanced(by: .seconds(1)))
        watch.note(locked, at: start.advanced(by: .seconds(10)))
        #expect(watch.refusal(at: start.advanced(by: .seconds(14))) == nil)
        #expect(watch.refusal(at: start.advanced(by: .seconds(15)))?.contains("PostgreSQL") == true)
    }

    @Test func aWorkerThatHasServedWaits() {
        let watch = OwnerWatch()
        watch.note(.ready, at: start)
        watch.note(locked, at: start)
        #expect(watch.refusal(at: start.advanced(by: .seconds(3600))) == nil)
    }

    @Test func anotherTroubleInBetweenBeginsTheTimeAnew() {
        let watch = OwnerWatch()
        watch.note(locked, at: start)
        watch.note(.unreachable(AMQPError(.disconnected, "gone"), retryAfter: .seconds(1)), at: start)
        #expect(watch.refusal(at: start.advanced(by: .seconds(60))) == nil)
    }
}
