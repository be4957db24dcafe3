// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a policy has refused, for the audit: no part of a reply.
package struct Denial: Sendable, Hashable {
    /// The rule that decided; nil where none was for it.
    package let rule: String?
    /// What would have been signed, or what the lease or token is good for.
    package let grant: Grant

    package init(rule: String?, grant: Grant) {
        self.rule = rule
        self.grant = grant
    }
}
