// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CLinux
import Glibc

/// A file descriptor that wakes whoever polls it, for as long as the object lives.
///
/// The corresponding C function is `eventfd`.
final class WakeUp: Sendable {
    let descriptor: Int32

    init() {
        descriptor = clinux_event_counter()
        precondition(descriptor >= 0, "no event counter: the process has run out of file descriptors")
    }

    deinit {
        close(descriptor)
    }

    /// Wakes the poller, now or at its next poll.
    func signal() {
        clinux_event_signal(descriptor)
    }

    /// Forgets earlier signals.
    func clear() {
        clinux_event_clear(descriptor)
    }

    /// Waits for a signal, which stays set.
    ///
    /// - Parameter limit: the longest time to wait.
    /// - Returns: whether there was one.
    func wait(atMost limit: Duration) -> Bool {
        let end = ContinuousClock.now + limit
        var rest = limit
        repeat {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&entry, 1, rest.pollMilliseconds) > 0 { return true }
            rest = end - .now
        } while rest > .zero
        return false
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, within what `poll` takes.
    var pollMilliseconds: Int32 {
        if self <= .zero { return 0 }
        if self >= .seconds(86_400) { return 86_400_000 }
        let (seconds, attoseconds) = components
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// The duration in nanoseconds, at most some centuries.
    var nanoseconds: UInt64 {
        if self <= .zero { return 0 }
        let (seconds, attoseconds) = components
        return UInt64(min(seconds, 9_000_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
