// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Duration {
    /// Whole milliseconds, rounded up, within what `poll` takes: at most a day.
    package var pollMilliseconds: Int32 {
        if self <= .zero { return 0 }
        if self >= .seconds(86_400) { return 86_400_000 }
        let (seconds, attoseconds) = components
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// The duration in nanoseconds, at most some centuries.
    package var nanoseconds: UInt64 {
        if self <= .zero { return 0 }
        let (seconds, attoseconds) = components
        return UInt64(min(seconds, 9_000_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
