// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import Synchronization

/// Notices when another worker has the SQLite leases for good.
///
/// A worker that is only being restarted frees the owner's queue within seconds, so a new one waits that long. One that
/// has served before waits for ever: it lost the queue with its connection and will get it back.
package final class OwnerWatch: Sendable {
    /// How long a new worker waits for the queue.
    package static let patience: Duration = .seconds(15)
    /// What is said of it.
    static let refusal = "another worker holds the SQLite leases of this broker; use PostgreSQL for several workers"

    private struct State {
        var hasServed = false
        var lockedSince: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// Takes a state of the consuming connection.
    func note(_ connection: ConnectionState, at now: ContinuousClock.Instant) {
        state.withLock { state in
            switch connection {
            case .ready, .incomplete, .suspended:
                state.hasServed = true
                state.lockedSince = nil
            case .unreachable(let error, retryAfter: _):
                state.lockedSince = error.code == .resourceLocked ? state.lockedSince ?? now : nil
            case .idle, .connecting, .blocked, .closed: break
            }
        }
    }

    /// Why this worker will not get the leases, or `nil` while it may.
    func refusal(at now: ContinuousClock.Instant) -> String? {
        state.withLock { state in
            guard !state.hasServed, let since = state.lockedSince, now - since >= Self.patience else { return nil }
            return Self.refusal
        }
    }
}
