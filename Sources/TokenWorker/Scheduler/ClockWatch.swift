// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Notices when the store's clock is set, by a clock that nobody sets.
struct ClockWatch: Sendable {
    /// The smallest step that is one, in milliseconds.
    static let tolerance: Int64 = 1000

    private var last: (store: Int64, steady: ContinuousClock.Instant)?

    /// Compares a reading of the store's clock, in milliseconds since 1970, with the one before.
    ///
    /// - Returns: how far the clock jumped in milliseconds, or `nil` when it did not.
    mutating func read(_ store: Int64, at steady: ContinuousClock.Instant) -> Int64? {
        defer { last = (store, steady) }
        guard let last else { return nil }
        let passed = (steady - last.steady).milliseconds
        let step = store - last.store - passed
        return abs(step) > Self.tolerance ? step : nil
    }
}

extension Duration {
    /// In whole milliseconds.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }

    /// In seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
