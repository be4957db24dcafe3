// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

/// One rule of a policy: whom and what it is for, and what it allows these.
struct PolicyRule: Sendable, Hashable {
    /// The name by which refusals and the audit tell of it.
    let name: String
    /// Whom and what it is for.
    var subject = PolicySubject()
    /// What it allows; nil where it forbids whatever it is for.
    var allowance: PolicyAllowance?

    /// What it does not allow about a use of a token that it is for; nil where it allows it.
    func excess(_ grant: Grant, for use: PolicyUse) -> PolicyAllowance.Excess? {
        guard let allowance else { return .everything }
        return allowance.excess(grant, for: use)
    }
}
