// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore

/// How much the scheduler claims, of what, and how long it sleeps.
struct SchedulerPace: Sendable {
    /// The longest sleep: a lease may become due that nobody here knows of.
    static let longestSleep = 0.25
    /// The shortest sleep while steps become due all the time, so that they are claimed in batches.
    static let shortestSleep = 0.02
    /// How often old steps are looked for while there are none, in seconds.
    static let backlogInterval = 5.0
    /// The fewest leases in a claim that a slow store brings the limit down to.
    static let leastLimit = 16

    private let mostLimit: Int
    /// The most leases in a claim.
    private(set) var limit: Int
    private var nextBacklog: ContinuousClock.Instant?
    /// How many failures to publish there were in a row.
    private var failures = 0

    /// A pace for claims of at most `limit` leases.
    init(limit: Int) {
        mostLimit = limit
        self.limit = limit
    }

    /// What to look at now.
    ///
    /// New steps come first, since their notices are worth the most; old ones are looked for at the start, as long as
    /// there are some, and every few seconds.
    func lanes(at now: ContinuousClock.Instant) -> [ClaimLane] {
        if let nextBacklog, nextBacklog > now { [.fresh] } else { [.fresh, .backlog] }
    }

    /// Notes what a claim found.
    ///
    /// `spread` is random from 0 to 1, so that workers do not look all at once.
    mutating func claimed(_ count: Int, lane: ClaimLane, at now: ContinuousClock.Instant, spread: Double) {
        limit = min(limit * 2, mostLimit)
        guard lane == .backlog else { return }
        nextBacklog = count > 0 ? now : now.advanced(by: .seconds(Self.backlogInterval * (0.5 + spread)))
    }

    /// Notes that the store failed: it may be slow rather than away, so less is asked of it.
    mutating func storeFailed() {
        limit = max(limit / 2, min(Self.leastLimit, mostLimit))
    }

    /// How long to sleep after a turn.
    ///
    /// - Parameters:
    ///   - untilNext: milliseconds until the next step is due, if one is known.
    ///   - foundSome: whether the turn claimed anything.
    ///   - spread: random from 0 to 1.
    /// - Returns: seconds.
    func sleep(untilNext: Int64?, foundSome: Bool, spread: Double) -> Double {
        let longest = Self.longestSleep * (0.8 + 0.4 * spread)
        guard let untilNext else { return longest }
        let shortest = foundSome ? Self.shortestSleep : 0.001
        return min(longest, max(shortest, Double(untilNext) / 1000))
    }

    /// Notes whether notices got through.
    mutating func published(_ succeeded: Bool) {
        failures = succeeded ? 0 : min(failures + 1, 10)
    }

    /// How long a lease waits whose notice did not get through, in seconds, at most `visibility`.
    func retryDelay(visibility: Double, spread: Double) -> Double {
        let delay = 0.25 * Double(1 << failures)
        return min(delay, visibility) * (0.5 + spread)
    }
}
