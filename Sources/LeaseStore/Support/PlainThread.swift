// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// A thread of the system that runs one function.
@safe
package final class PlainThread: Sendable {
    private let handle: pthread_t

    /// Starts a thread.
    ///
    /// The corresponding C function is `pthread_create`.
    /// - Parameter body: what it runs.
    package init(_ body: @escaping @Sendable () -> Void) {
        let box = unsafe Unmanaged.passRetained(Body(run: body)).toOpaque()
        var handle = pthread_t()
        let code = unsafe pthread_create(
            &handle, nil,
            { @Sendable context in
                guard let context = unsafe context else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                body.run()
                return nil
            }, box)
        precondition(code == 0, "the system has no thread left")
        self.handle = handle
    }

    /// Waits for its end.
    ///
    /// The corresponding C function is `pthread_join`.
    package func join() {
        pthread_join(handle, nil)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
