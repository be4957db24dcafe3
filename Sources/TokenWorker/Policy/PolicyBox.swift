// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Synchronization

/// The policy in force, which may be replaced while the worker runs.
///
/// The issuer reads it once for each batch, and the scheduler for each renewal, so that nothing is judged by half of
/// one policy and half of another.
package final class PolicyBox: Sendable {
    private let policy: Mutex<Policy>

    /// Puts a policy in force.
    package init(_ policy: Policy) { self.policy = Mutex(policy) }

    /// The policy in force.
    package var current: Policy { policy.withLock { $0 } }

    /// Puts another policy in force, for everything that is signed from now on.
    package func replace(_ policy: Policy) { self.policy.withLock { $0 = policy } }
}
