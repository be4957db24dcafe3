// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import Synchronization

/// Where the threads of a worker count what they do: a lock for each batch, not for each message.
final class WorkerMetrics: Sendable {
    private let state = Mutex(WorkerCounters())

    /// All counts so far.
    var counters: WorkerCounters { state.withLock { $0 } }

    /// Takes what the issuer counted for a batch that took `duration` to answer.
    func note(_ batch: BatchTally, took duration: Duration) { state.withLock { $0.add(batch, took: duration) } }

    /// Takes what the broker said of publications.
    func note(_ outcomes: [PublishOutcome]) { state.withLock { $0.add(outcomes) } }

    /// Takes what the scheduler did.
    func note(_ event: SchedulerEvent) { state.withLock { $0.add(event) } }

    /// Takes replies that nobody took.
    func noteUndeliverable(_ count: Int) { state.withLock { $0.addUndeliverable(count) } }

    /// Takes notices that were made for renewals whose replies nobody took.
    func noteFailedRenewals(_ count: Int) { state.withLock { $0.addFailedRenewals(count) } }

    /// Takes a state of a connection.
    func note(_ connection: ConnectionState, of part: WorkerCounters.Connection) {
        state.withLock { $0.note(connection, of: part) }
    }
}
