// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP

/// Asks the parts of a worker how they are.
struct WorkerHealth: Sendable {
    let consumer: ConsumerConnection
    let publisher: PublisherConnection
    let scheduler: Scheduler?
    let vitals: Vitals

    /// How everything is right now.
    var readiness: Readiness {
        var readiness = Readiness(intake: consumer.state, publisher: publisher.state)
        vitals.complete(&readiness)
        if let scheduler { readiness.silences.append(.init(thread: "scheduler", duration: scheduler.silence)) }
        return readiness
    }

    /// The worker's pages.
    func page(_ path: String) -> HTTPAnswer? {
        switch path {
        case "/livez": readiness.liveAnswer
        case "/readyz": readiness.readyAnswer
        default: nil
        }
    }
}
