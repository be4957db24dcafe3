// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Platform
import Synchronization

/// One connection's socket and the time by which its thread must have shown that it is alive.
final class StallGuard: Sendable {
    private struct Socket {
        var descriptor: Int32 = -1
        var isAborted = false
        var didShutDown = false
    }

    private let socket = Mutex(Socket())
    private let deadline = Atomic<UInt64>(UInt64.max)
    private let finished = Atomic<Bool>(false)

    var isFinished: Bool { finished.load(ordering: .relaxed) }

    /// Whether the connection is to end at once.
    var isAborted: Bool { socket.withLock { $0.isAborted } }

    /// Whether the socket was shut down from here.
    var didShutDown: Bool { socket.withLock { $0.didShutDown } }

    /// Sets the time by which the thread must report again.
    func allow(_ limit: Duration) {
        deadline.store(MonotonicClock.nanoseconds() &+ limit.nanoseconds, ordering: .relaxed)
    }

    /// Expects nothing until further notice.
    func rest() {
        deadline.store(.max, ordering: .relaxed)
    }

    /// Watches a socket from now on.
    ///
    /// For the connection's thread.
    func opened(_ descriptor: Int32) {
        socket.withLock { socket in
            socket.descriptor = descriptor
            socket.didShutDown = false
            if socket.isAborted { Self.shutDown(&socket) }
        }
    }

    /// Forgets the socket; must come before the socket is closed.
    ///
    /// For the connection's thread.
    func willClose() {
        rest()
        socket.withLock { $0.descriptor = -1 }
    }

    /// Ends the connection at once, whatever its thread is doing, and those that it may still open.
    func abort() {
        socket.withLock { socket in
            socket.isAborted = true
            Self.shutDown(&socket)
        }
    }

    /// Ends the watch.
    func finish() {
        finished.store(true, ordering: .relaxed)
    }

    /// Shuts an overdue socket down.
    ///
    /// For the watchdog's thread.
    func check(now: UInt64) {
        guard now > deadline.load(ordering: .relaxed) else { return }
        socket.withLock { Self.shutDown(&$0) }
    }

    /// Shuts down and never closes: the number must not be reused while the thread still holds it.
    private static func shutDown(_ socket: inout Socket) {
        guard socket.descriptor >= 0, !socket.didShutDown else { return }
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        socket.didShutDown = true
    }
}
