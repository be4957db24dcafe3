// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

/// How many leases there are and when they end, at a bounded price: for metrics.
///
/// Keys are hashes, so the rows with the smallest ones are a fair sample of all. Up to its size everything is counted;
/// beyond it, the part of the keys' range that the sample covers tells how many there are, to about one percent.
package struct LeaseCensus: Sendable, Hashable {
    /// The most rows that are looked at.
    package static let sampleSize = 10_000
    /// A notice that is due for less than this, in milliseconds, is on its way.
    package static let overdueAfter: Int64 = 1000
    /// The times ahead that ends are counted in, in seconds.
    package static let windows: [(name: String, seconds: Int64)] = [
        ("1m", 60), ("5m", 300), ("15m", 900), ("1h", 3600), ("6h", 21_600), ("24h", 86_400),
    ]

    /// Leases that have not ended and were not cancelled.
    package var live: Double
    /// Leases whose end has not been told yet.
    package var ended: Double
    /// Tombstones.
    package var cancelled: Double
    /// The live ones that end within each of the windows.
    package var ending: [Double]
    /// Leases with an overdue step; not more than `sampleSize`.
    package var overdue: Int
    /// How long the oldest of them has been so, in seconds.
    package var overdueBy: Double

    /// What was counted in a sample.
    struct Sample: Sendable {
        var rows: Int64
        var ended: Int64
        var cancelled: Int64
        /// By window.
        var ending: [Int64]
        /// The greatest key; `nil` where there was no row.
        var last: Key?
    }

    /// Concludes from a sample.
    ///
    /// - Parameters:
    ///   - sample: the rows with the smallest keys, at most `size`.
    ///   - size: the most that there could have been.
    ///   - overdue: how many steps are overdue.
    ///   - oldest: when the oldest of them was due, in milliseconds since 1970.
    ///   - now: the store's clock in milliseconds since 1970.
    init(_ sample: Sample, of size: Int, overdue: Int64, oldest: Int64?, now: Int64) {
        var scale = 1.0
        if sample.rows >= Int64(size), let last = sample.last {
            scale = 0x1p64 / max(Double(last.high), 1)
        }
        func all(_ count: Int64) -> Double { (Double(count) * scale).rounded() }
        live = all(sample.rows - sample.ended - sample.cancelled)
        ended = all(sample.ended)
        cancelled = all(sample.cancelled)
        ending = sample.ending.map(all)
        self.overdue = Int(overdue)
        overdueBy = oldest.map { Double(max(now - $0, 0)) / 1000 } ?? 0
    }
}
