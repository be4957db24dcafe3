// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How long before expiry the `will_expire` notices of one lease are due, as applied.
package struct Leads: Sendable, Hashable {
    /// The lead times in seconds, descending, each once, none zero.
    package let seconds: [UInt32]
    /// What was changed, in plain sentences.
    package let warnings: [String]

    /// Applies the rule: no lead is longer than half of the lifetime, and a lead of zero is no step.
    ///
    /// - Parameters:
    ///   - wanted: the leads asked for, in seconds.
    ///   - lifetime: the seconds from issue to the end of the lease.
    package init(_ wanted: [UInt32], lifetime: UInt32) {
        let longest = lifetime / 2
        var seconds: [UInt32] = []
        var warnings: [String] = []
        var previous: UInt32?
        for lead in wanted.sorted(by: >) where lead != previous {
            previous = lead
            let applied = min(lead, longest)
            if lead == 0 {
                warnings.append("no notice 0 s before expiry: that is the expired notice itself")
            } else if applied == 0 {
                warnings.append("no notice \(lead) s before expiry: at most half of the lease's \(lifetime) s")
            } else if applied < lead {
                warnings.append(
                    "notice \(applied) s instead of \(lead) s before expiry: at most half of the lease's \(lifetime) s")
            }
            if applied > 0, applied != seconds.last { seconds.append(applied) }
        }
        self.seconds = seconds
        self.warnings = warnings
    }

    /// Takes leads that were applied before, as a stored lease has them.
    package init(applied seconds: [UInt32]) {
        self.seconds = seconds
        warnings = []
    }
}
