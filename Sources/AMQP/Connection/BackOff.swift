// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Growing pauses between attempts, spread at random so that many clients do not return in lockstep.
///
/// Each pause is a random part, from a half to the whole, of a limit that doubles from ``first`` to ``longest``.
public struct BackOff: Sendable, Hashable {
    /// The limit of the first pause.
    public var first: Duration

    /// The limit that pauses grow to.
    public var longest: Duration

    private var failures = 0

    /// Creates a series of pauses.
    ///
    /// - Parameters:
    ///   - first: the limit of the first pause.
    ///   - longest: the limit that pauses grow to.
    public init(first: Duration = .milliseconds(200), longest: Duration = .seconds(5)) {
        self.first = first
        self.longest = longest
    }

    /// How many pauses there were since the last success.
    var attempts: Int { failures }

    /// The next pause.
    ///
    /// - Parameters:
    ///   - atOnce: whether to pause for the longest limit right away, as trying again soon is pointless.
    ///   - share: a random number from 0 to 1.
    /// - Returns: how long to pause.
    package mutating func next(longest atOnce: Bool = false, share: Double = .random(in: 0...1)) -> Duration {
        let doublings = min(failures, 20)
        failures += 1
        let limit = atOnce ? longest : min(longest, first * (1 << doublings))
        return limit * (0.5 + 0.5 * share)
    }

    /// Begins anew after a success.
    package mutating func succeeded() {
        failures = 0
    }
}
