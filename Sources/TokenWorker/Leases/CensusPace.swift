// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// When leases are counted, and for how long a count is given.
///
/// It is made from what the counts took, and reads no clock.
struct CensusPace: Sendable, Hashable {
    /// The shortest time between two counts.
    static let pause: Duration = .seconds(10)
    /// A count that took long is repeated only after so many times as long: two percent of a processor at most.
    static let rest = 50
    /// How old a count may be that is still given.
    static let validity: Duration = .seconds(120)

    /// Not before this time is there another count.
    private(set) var next: ContinuousClock.Instant

    /// Begins with a count that is due at once.
    init(at start: ContinuousClock.Instant) { next = start }

    /// Whether it is time to count, should somebody ask.
    func isDue(at now: ContinuousClock.Instant) -> Bool { now >= next }

    /// Notes a count, or an attempt at one.
    mutating func counted(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        next = end.advanced(by: max(Self.pause, (end - start) * Self.rest))
    }

    /// Whether a count of `time` may still be given.
    static func isValid(_ time: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> Bool {
        now - time < validity
    }
}
