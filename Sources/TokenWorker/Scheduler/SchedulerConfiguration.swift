// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How the scheduler works.
struct SchedulerConfiguration: Sendable {
    /// How long a claimed step is hidden from other workers, in seconds: after that it is theirs if this one died.
    var visibility = 10.0
    /// The most leases in a claim.
    var batch = 500
    /// The most notices of which the broker has not spoken yet.
    var mostInFlight = 1000
}
