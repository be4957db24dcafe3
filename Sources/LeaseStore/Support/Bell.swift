// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// Wakes a sleeping thread.
@safe
package final class Bell: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var isRung = false

    /// A bell that is silent.
    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // Sleep must not depend on a clock that somebody may set.
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Wakes the thread that waits, or the next that will.
    package func ring() {
        unsafe pthread_mutex_lock(mutex)
        isRung = true
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Sleeps until the bell is rung, at most so long; whether it was rung.
    ///
    /// Waiting silences it.
    package func wait(seconds: Double) -> Bool {
        let until = SystemClock.monotonicMicroseconds() + Int64(max(0, min(seconds, 86_400)) * 1e6)
        var deadline = timespec(tv_sec: Int(until / 1_000_000), tv_nsec: Int(until % 1_000_000) * 1000)
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while !isRung {
            if unsafe pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { break }
        }
        defer { isRung = false }
        return isRung
    }
}
