// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CLinux
import Glibc
import Synchronization

/// A thread of the system that runs one function, with a large stack and without signals.
///
/// What it decodes comes from strangers, and C libraries recurse into it: librabbitmq reads nested header tables without
/// a depth limit, and 16 MiB hold the deepest that fits into a frame. The process's signals stay with the threads that
/// expect them.
@safe
package final class PlainThread: Sendable {
    private static let stackSize = 16 << 20
    /// What a fault of the thread itself raises: blocked, it would end the process without a word.
    private static let faults = [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let handle: pthread_t
    private let wasJoined = Atomic(false)

    /// Starts a thread, which goes on by itself if nobody keeps this object.
    ///
    /// The corresponding C function is `pthread_create`.
    ///
    /// - Parameters:
    ///   - name: what `top -H` shows, at most 15 bytes of it; without one it is the name of the thread that starts it.
    ///   - run: what the thread does.
    @discardableResult
    package init(named name: String? = nil, _ run: @escaping @Sendable () -> Void) {
        let body = Body {
            if let name { unsafe clinux_name_thread(name) }
            run()
        }
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setstacksize(&attributes, Self.stackSize)

        // The thread inherits the mask.
        var blocked = sigset_t()
        var previous = sigset_t()
        unsafe sigfillset(&blocked)
        for fault in Self.faults { unsafe sigdelset(&blocked, fault) }
        unsafe pthread_sigmask(SIG_SETMASK, &blocked, &previous)
        var handle = pthread_t()
        let context = unsafe Unmanaged.passRetained(body).toOpaque()
        let status = unsafe pthread_create(
            &handle, &attributes,
            { @Sendable context in
                if let context = unsafe context {
                    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            }, context)
        unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
        unsafe pthread_attr_destroy(&attributes)
        precondition(status == 0, "no thread: the process has run out of threads or memory")
        self.handle = handle
    }

    deinit { if !wasJoined.load(ordering: .relaxed) { pthread_detach(handle) } }

    /// Waits for the thread's end; call it once.
    ///
    /// The corresponding C function is `pthread_join`.
    package func join() {
        wasJoined.store(true, ordering: .relaxed)
        pthread_join(handle, nil)
    }
}
