// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CLinux
import Glibc
import Synchronization

/// Hands work from any thread to one thread that sleeps until there is some.
///
/// Content is put in and taken out as a whole, so that a batch costs one lock, and the system is asked to wake the
/// reader only when it sleeps.
final class Mailbox<Content: Sendable>: Sendable {
    private struct State {
        var content: Content
        var isFull = false
        var readerSleeps = false
    }

    private let empty: Content
    private let state: Mutex<State>
    private let wakeup: Int32

    /// An empty mailbox; `empty` is what ``take(until:)`` gives when nothing was put in.
    init(empty: Content) {
        self.empty = empty
        state = Mutex(State(content: empty))
        wakeup = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        precondition(wakeup >= 0, "no file descriptor is left for a mailbox")
    }

    deinit { close(wakeup) }

    /// Changes the content and wakes the reader.
    func put(_ change: (inout Content) -> Void) {
        let wake = state.withLock { state in
            change(&state.content)
            state.isFull = true
            defer { state.readerSleeps = false }
            return state.readerSleeps
        }
        if wake { eventfd_write(wakeup, 1) }
    }

    /// Takes everything, after waiting for something until `deadline`; without one, until there is something.
    func take(until deadline: ContinuousClock.Instant?) -> Content {
        while true {
            let taken: Content? = state.withLock { state in
                guard state.isFull else {
                    state.readerSleeps = true
                    return nil
                }
                let content = state.content
                state.content = empty
                state.isFull = false
                return content
            }
            if let taken { return taken }
            guard sleep(until: deadline) else { return empty }
        }
    }

    /// Sleeps until it is woken; returns whether it was before the deadline.
    private func sleep(until deadline: ContinuousClock.Instant?) -> Bool {
        var milliseconds: Int32 = -1
        if let deadline {
            let left = deadline - ContinuousClock.now
            guard left > .zero else { return false }
            milliseconds = Int32(
                clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
        }
        var watched = pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)
        if unsafe poll(&watched, 1, milliseconds) > 0 {
            var count: eventfd_t = 0
            unsafe eventfd_read(wakeup, &count)
        }
        return true
    }
}
