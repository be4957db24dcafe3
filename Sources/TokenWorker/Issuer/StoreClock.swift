// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore
internal import Platform

/// The store's clock, which decides what is late, between two readings of it.
///
/// Several workers at one database agree by it, however wrong the clocks of their machines are. Without a store it is the
/// machine's.
struct StoreClock: Sendable {
    /// How long a reading is good for: clocks drift apart.
    private static let validity: Duration = .seconds(10)

    private var reading: (milliseconds: Int64, at: ContinuousClock.Instant)?

    /// Reads the clock, unless it was read a moment ago.
    mutating func read(_ store: any LeaseStore, at now: ContinuousClock.Instant) throws(StoreError) {
        if let reading, now - reading.at < Self.validity { return }
        let milliseconds = try store.clock() / 1000
        reading = (milliseconds, .now)
    }

    /// The time in milliseconds since 1970.
    func milliseconds(at now: ContinuousClock.Instant) -> Int64 {
        guard let reading else { return WallClock.milliseconds() }
        return reading.milliseconds + (now - reading.at).milliseconds
    }
}
