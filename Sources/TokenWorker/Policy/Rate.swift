// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How often something may be done: a bucket of permissions that fills steadily.
struct Rate: Sendable, Hashable {
    /// How much of a permission a second brings, from 0.001 to 100,000.
    let perSecond: Double
    /// How many permissions the bucket holds, from 1 to 1,000,000: so many may be used at once.
    let burst: Double

    static let slowest = 0.001
    static let fastest = 100_000.0
    static let largestBurst = 1_000_000.0
}
