// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Synchronization

/// The rates of a worker's callers, for everything that plans and judges for it.
final class RateLimiter: Sendable {
    private let buckets = Mutex(RateBuckets())

    /// As ``RateBuckets/take(_:_:at:for:)``.
    func take(_ name: RateBuckets.Name, _ rate: Rate, at now: Int64, for item: Int?) -> Int64? {
        buckets.withLock { $0.take(name, rate, at: now, for: item) }
    }

    /// As ``RateBuckets/begin(again:)``.
    func begin(again: Bool) { buckets.withLock { $0.begin(again: again) } }
}
