// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CLinux
import Glibc

/// A file descriptor that wakes whoever polls it, for as long as the object lives.
///
/// The corresponding C function is `eventfd`.
package final class WakeUp: Sendable {
    private let descriptor: Int32

    /// One that was not signalled yet.
    package init() {
        descriptor = clinux_event_counter()
        precondition(descriptor >= 0, "no event counter: the process has run out of file descriptors")
    }

    deinit { close(descriptor) }

    /// Wakes the poller, now or at its next poll.
    package func signal() { clinux_event_signal(descriptor) }

    /// Forgets earlier signals.
    package func clear() { clinux_event_clear(descriptor) }

    /// Waits for a signal, which stays set.
    ///
    /// - Parameter limit: the longest time to wait.
    /// - Returns: whether there was one.
    package func wait(atMost limit: Duration) -> Bool {
        let end = ContinuousClock.now + limit
        var rest = limit
        repeat {
            if sleep(atMost: rest) { return true }
            rest = end - .now
        } while rest > .zero
        return false
    }

    /// Waits for a signal, which stays set, by one call of the system, which may end early.
    ///
    /// - Parameter limit: the longest time to wait; `nil` for no limit.
    /// - Returns: whether there was one.
    package func sleep(atMost limit: Duration?) -> Bool {
        !PollEvents.wait(for: .readable, of: descriptor, atMost: limit).isEmpty
    }

    /// Waits for a signal, which stays set, or for another descriptor, by one call of the system, which may end early.
    ///
    /// - Parameters:
    ///   - other: a descriptor to read from.
    ///   - limit: the longest time to wait.
    /// - Returns: whether the other can be read, and whether there was a signal.
    package func sleep(beside other: Int32, atMost limit: Duration) -> (isReadable: Bool, isSignalled: Bool) {
        let (events, own) = PollEvents.wait(for: .readable, of: other, descriptor, atMost: limit)
        return (!events.isEmpty, !own.isEmpty)
    }
}
