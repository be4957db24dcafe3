// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Whether the store is away, and when it is asked again.
struct StoreOutage: Sendable {
    private static var firstPause: Duration { .milliseconds(100) }
    private static var longestPause: Duration { .seconds(5) }

    /// When the outage began, or `nil` while the store works.
    private(set) var since: ContinuousClock.Instant?
    /// When to ask again.
    private(set) var nextTry: ContinuousClock.Instant?
    private var pause = StoreOutage.firstPause

    /// Whether the store is away.
    var isAway: Bool { since != nil }

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - now: the moment of the failure.
    ///   - spread: a random number from 0 to 1; pauses vary by half, so that workers do not return together.
    /// - Returns: whether it begins an outage.
    mutating func failed(at now: ContinuousClock.Instant, spread: Double) -> Bool {
        let begins = since == nil
        since = since ?? now
        nextTry = now.advanced(by: pause * (0.75 + spread / 2))
        pause = min(pause * 2, Self.longestPause)
        return begins
    }

    /// Notes a success; returns whether it ends an outage.
    mutating func succeeded() -> Bool {
        let ends = isAway
        if ends { self = StoreOutage() }
        return ends
    }
}
