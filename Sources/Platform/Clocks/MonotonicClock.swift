// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// A clock that nobody sets, and that starts at some moment.
package enum MonotonicClock {
    /// Nanoseconds since that moment.
    package static func nanoseconds() -> UInt64 {
        let time = timespec(of: CLOCK_MONOTONIC)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Microseconds since that moment.
    package static func microseconds() -> Int64 {
        let time = timespec(of: CLOCK_MONOTONIC)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
