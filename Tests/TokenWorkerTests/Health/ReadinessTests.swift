// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import LeaseStore
import Testing

@testable import TokenWorker

/// The verdict over what the parts of a worker say.
@Suite struct ReadinessTests {
    private let well = Readiness(
        intake: .ready, publisher: .ready,
        silences: [.init(thread: "issuer", duration: .seconds(3)), .init(thread: "scheduler", duration: .zero)])

    private func text(_ answer: HTTPAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

    @Test func readyWhenEverythingIs() {
        #expect(well.health.isReady && well.health.isAlive)
        #expect(well.health.readyAnswer.status == 200 && well.health.liveAnswer.status == 200)
        #expect(
            text(well.health.readyAnswer)
                == "ready\nintake: ok\npublisher: ok\nstore: ok\nissuer: ok\nscheduler: ok\n")
    }

    @Test(arguments: [
        ConnectionState.idle, .connecting(attempt: 1), .suspended, .closed, .blocked("low on memory"),
        .incomplete([AMQPError(.notFound, "no queue 'agora.tokens.renew'")]),
        .unreachable(AMQPError(.disconnected, "the connection\nbroke"), retryAfter: .seconds(1)),
    ])
    func notReadyWithoutBothConnections(_ state: ConnectionState) {
        var readiness = well
        readiness.intake = state
        #expect(readiness.health.readyAnswer.status == 503)
        #expect(readiness.health.checks.count { $0.fault != nil } == 1)
        readiness = well
        readiness.publisher = state
        #expect(readiness.health.readyAnswer.status == 503)
        #expect(text(readiness.health.readyAnswer).split(separator: "\n").count == 6, "one line for each part")
        // A new start would not bring the broker back.
        #expect(readiness.health.liveAnswer.status == 200)
    }

    @Test func theAnswerNamesWhatIsWrong() {
        var readiness = well
        readiness.intake = .incomplete([AMQPError(.notFound, "no queue 'agora.tokens.renew'")])
        readiness.publisher = .blocked("low on memory")
        readiness.storeFaults = ["the lease store is unavailable: disk full"]
        readiness.isStopping = true
        let lines = text(readiness.health.readyAnswer).split(separator: "\n").map(String.init)
        #expect(lines.first == "not ready")
        #expect(lines.contains("intake: no queue 'agora.tokens.renew'"))
        #expect(lines.contains("publisher: is blocked by the broker: low on memory"))
        #expect(lines.contains("store: the lease store is unavailable: disk full"))
        #expect(lines.contains("worker: is stopping"))
    }

    @Test func aSilentThreadIsNotReadyAndInTheEndNotAlive() {
        var readiness = well
        readiness.silences = [.init(thread: "issuer", duration: .seconds(11))]
        #expect(!readiness.health.isReady && readiness.health.isAlive)
        readiness.silences = [.init(thread: "issuer", duration: .seconds(61))]
        #expect(!readiness.health.isReady && !readiness.health.isAlive)
        #expect(readiness.health.liveAnswer.status == 503)
        #expect(text(readiness.health.liveAnswer) == "stuck\nissuer: has not moved for 61 s\n")
    }

    @Test func theStoreIsAskedByTwo() {
        let vitals = Vitals()
        var readiness = Readiness(intake: .ready, publisher: .ready)
        vitals.note(.storeAway(.unavailable("gone")))
        vitals.store(.issuer, nil)
        vitals.complete(&readiness)
        #expect(readiness.storeFaults == ["the lease store is unavailable: gone"])
        vitals.note(.storeBack)
        vitals.complete(&readiness)
        #expect(readiness.storeFaults.isEmpty && readiness.health.isReady)
    }
}
