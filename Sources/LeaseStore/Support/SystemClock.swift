// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// The machine's clocks.
package enum SystemClock {
    /// The time of day in microseconds since 1970.
    @Sendable package static func microseconds() -> Int64 { read(CLOCK_REALTIME) }

    /// A clock that nobody sets, in microseconds since some moment.
    @Sendable package static func monotonicMicroseconds() -> Int64 { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
