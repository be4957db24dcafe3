// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CLinux
import Glibc

/// A thread with a stack large enough for anything that the C library recurses into, and without signals.
///
/// librabbitmq decodes nested header tables without a depth limit; 16 MiB hold the deepest that fits into a frame.
/// The corresponding C function is `pthread_create`.
enum LoopThread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a detached thread.
    ///
    /// - Parameters:
    ///   - name: what `top -H` shows; at most 15 bytes of it.
    ///   - run: what the thread does.
    static func start(named name: String, _ run: @escaping @Sendable () -> Void) {
        let body = Body {
            unsafe clinux_name_thread(name)
            run()
        }
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setstacksize(&attributes, 16 << 20)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

        // The thread inherits the mask: the process's signals stay with the threads that expect them.
        var all = sigset_t()
        var previous = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(body).toOpaque()
        let status = unsafe pthread_create(
            &thread, &attributes,
            { @Sendable context in
                if let context = unsafe context {
                    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            }, context)
        unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
        unsafe pthread_attr_destroy(&attributes)
        precondition(status == 0, "no thread: the process has run out of threads or memory")
    }
}
