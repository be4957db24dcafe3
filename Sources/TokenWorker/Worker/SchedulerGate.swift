// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import Synchronization

/// Says when the scheduler may claim: while notices can be published, and the leases are this worker's.
final class SchedulerGate: Sendable {
    private struct State {
        var publishes = false
        var owns = false
    }

    private let state = Mutex(State())
    private let scheduler: Scheduler

    init(_ scheduler: Scheduler) { self.scheduler = scheduler }

    /// Takes a state of the publishing connection.
    func publisherIs(_ connection: ConnectionState) {
        change { $0.publishes = connection.isReady }
    }

    /// Takes a state of the consuming connection, which holds the owner's queue of an SQLite file.
    func consumerIs(_ connection: ConnectionState) {
        let owns =
            switch connection {
            case .ready, .incomplete, .suspended, .blocked: true
            case .idle, .connecting, .unreachable, .closed: false
            }
        change { $0.owns = owns }
    }

    private func change(_ change: (inout State) -> Void) {
        state.withLock { state in
            let before = state.publishes && state.owns
            change(&state)
            let after = state.publishes && state.owns
            if before != after { scheduler.brokerIsReady(after) }
        }
    }
}
