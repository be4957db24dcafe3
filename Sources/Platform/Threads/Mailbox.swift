// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

public import Synchronization

/// Hands work from any thread to one thread that sleeps until there is some.
///
/// Content is put in and taken out as a whole, so that a batch costs one lock, and the system is asked to wake the
/// reader only when it sleeps.
///
/// No product shows it. It is public because only what is public and inlinable is compiled for each content in the
/// modules that use it.
public final class Mailbox<Content: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var content: Content
        @usableFromInline var isFull = false
        @usableFromInline var readerSleeps = false
    }

    @usableFromInline let empty: Content
    @usableFromInline let state: Mutex<State>
    let wakeUp = WakeUp()

    /// An empty mailbox; `empty` is what ``take(until:)`` gives when nothing was put in.
    public init(empty: Content) {
        self.empty = empty
        state = Mutex(State(content: empty))
    }

    /// Changes the content and wakes the reader.
    @inlinable
    public func put(_ change: (inout Content) -> Void) {
        let mustWake = state.withLock { state in
            change(&state.content)
            state.isFull = true
            defer { state.readerSleeps = false }
            return state.readerSleeps
        }
        if mustWake { wake() }
    }

    /// Takes everything, after waiting for something until `deadline`; without one, until there is something.
    @inlinable
    public func take(until deadline: ContinuousClock.Instant?) -> Content {
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

    @usableFromInline
    func wake() { wakeUp.signal() }

    /// Sleeps until it is woken, or for a while; returns whether the deadline is still to come.
    @usableFromInline
    func sleep(until deadline: ContinuousClock.Instant?) -> Bool {
        let left = deadline.map { $0 - .now }
        if let left, left <= .zero { return false }
        if wakeUp.sleep(atMost: left) { wakeUp.clear() }
        return true
    }
}
