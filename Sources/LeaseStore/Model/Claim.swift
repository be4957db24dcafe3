// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// Which due leases a claim looks at.
package enum ClaimLane: Sendable, Hashable {
    /// Those of the last minute: bounded below, so that a pile of old ones cannot slow it down.
    case fresh
    /// The older ones.
    case backlog

    /// Where the lanes meet, in milliseconds before now.
    package static let boundary: Int64 = 60_000
}

/// What a claim took.
package struct Claim: Sendable {
    /// The leases, by due time.
    package var leases: [ClaimedLease]
    /// The store's clock when they were taken, in milliseconds since 1970.
    package var now: Int64
    /// When the next step after `now` is due, in milliseconds since 1970; `nil` when nothing is to come.
    package var next: Int64?
    /// How many rows this program cannot read.
    ///
    /// They stay hidden until the claim ends, and others go on.
    package var unreadable = 0
}

/// A lease that this worker holds for a moment, to publish its next step.
package struct ClaimedLease: Sendable {
    /// The lease.
    package var lease: Lease
    /// The index of the step that is due.
    package var step: Int
    /// When this step was due, in milliseconds since 1970, jitter included.
    package var dueAt: Int64
    /// When the claim ends by itself, by the store's clock in milliseconds since 1970.
    package var claimedUntil: Int64
    /// The number of this claim of the step, from 1; only workers that died in between make it grow.
    package var attempt: Int

    /// How many claims a step may have before it is claimed alone, lest it take others down with it.
    package static let attemptsTogether = 2
}

/// Says that a step, and those before it, were published.
package struct StepMark: Sendable, Hashable {
    /// The key of the row.
    package var key: Key
    /// The generation that was claimed.
    package var generation: Int64
    /// The step that was claimed.
    package var step: Int
    /// What comes next: the index of a step and when it is due; `nil` when there is none and the lease is over.
    package var next: Next?
    /// The steps that take the place of the lease's, whose deed is put off; `nil` where they stay.
    package var schedule: Schedule?

    /// The next step of a lease.
    package struct Next: Sendable, Hashable {
        /// Its index.
        package var step: Int
        /// When it is due, in milliseconds since 1970, jitter included.
        package var dueAt: Int64
    }

    /// Marks the step of a claim as published, up to and including the step at `published`.
    package init(_ claimed: ClaimedLease, published: Int) {
        let lease = claimed.lease
        key = lease.key
        generation = lease.generation
        step = claimed.step
        let next = published + 1
        self.next =
            next < lease.schedule.steps.count
            ? Next(step: next, dueAt: lease.schedule.dueAt(next, key: lease.key)) : nil
    }

    /// Puts the deed of a claim, which was in vain, off to `moment`, in seconds since 1970.
    package init(_ claimed: ClaimedLease, postponedTo moment: UInt32) {
        let left = claimed.lease.schedule.postponing(claimed.step, to: moment)
        key = claimed.lease.key
        generation = claimed.lease.generation
        step = claimed.step
        next = Next(step: 0, dueAt: left.dueAt(0, key: key))
        schedule = left
    }
}
