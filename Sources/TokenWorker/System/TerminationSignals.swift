// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// The signals that end the process or have it read its configuration again, taken by a thread that waits for them instead of by handlers.
package struct TerminationSignals: Sendable {
    /// Blocks SIGTERM, SIGINT and SIGHUP for the calling thread and those that it starts later; call it first of all.
    package init() {
        signal(SIGPIPE, SIG_IGN)
        var set = Self.set
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for one of them, at most `timeout`; returns its number, or `nil` when the time is over.
    package func wait(atMost timeout: Duration) -> Int32? {
        var set = Self.set
        let parts = timeout.components
        var time = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
        let number = unsafe sigtimedwait(&set, nil, &time)
        return number > 0 ? number : nil
    }

    /// Whether one came that ends the process.
    package var isUrgent: Bool {
        while let number = wait(atMost: .zero) {
            if number != SIGHUP { return true }
        }
        return false
    }

    private static var set: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, number) }
        return set
    }
}
