// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Synchronization

/// A store's clock that stands still until it is moved.
final class ManualClock: Sendable {
    private let time: Mutex<Int64>
    private let follow: (@Sendable (Int64) -> Void)?

    /// Stands at a moment, in seconds since 1970; `follow` hears of each change, in microseconds.
    init(second: Int64 = 1_790_000_000, follow: (@Sendable (Int64) -> Void)? = nil) {
        time = Mutex(second * 1_000_000)
        self.follow = follow
        follow?(microseconds)
    }

    /// The time in microseconds since 1970.
    var microseconds: Int64 { time.withLock { $0 } }

    /// The time in seconds since 1970.
    var second: UInt32 { UInt32(clamping: microseconds / 1_000_000) }

    /// Moves it on, or back.
    func advance(seconds: Double) {
        time.withLock { $0 += Int64(seconds * 1_000_000) }
        follow?(microseconds)
    }

    /// Sets it, in milliseconds since 1970.
    func set(milliseconds: Int64) {
        time.withLock { $0 = milliseconds * 1000 }
        follow?(microseconds)
    }
}
