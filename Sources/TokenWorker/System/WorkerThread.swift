// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// A thread that can be waited for.
///
/// Its stack is 16 MiB: what it decodes comes from strangers.
final class WorkerThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let handle: pthread_t

    /// Starts a thread that runs `body`.
    init(_ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setstacksize(&attributes, 16 << 20)
        var handle = pthread_t()
        let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
        let status = unsafe pthread_create(
            &handle, &attributes,
            { @Sendable context in
                guard let context = unsafe context else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                body.run()
                return nil
            }, context)
        precondition(status == 0, "the system has no thread left")
        unsafe pthread_attr_destroy(&attributes)
        self.handle = handle
    }

    /// Waits for the thread's end; call it once.
    func join() { pthread_join(handle, nil) }
}
