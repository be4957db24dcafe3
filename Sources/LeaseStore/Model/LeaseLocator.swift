// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// How a renewal or a cancellation names its lease.
package struct LeaseLocator: Sendable, Hashable {
    /// What identifies the lease.
    package enum Target: Sendable, Hashable {
        /// By lease id: the key made from an own id, or read from a generated one.
        case key(Key)
        /// By token: the key by identity (`nil` for wildcards), the token's own key, and its issue time and salt.
        case token(key: Key?, tokenKey: Key, issuedAt: UInt32, salt: UInt32)
    }

    /// What identifies the lease.
    package var target: Target
    /// Who asks.
    package var caller: Caller
    /// Whether policy lets the caller touch leases of others.
    package var anyCaller: Bool
    /// The generation that the lease must have, if the caller says one.
    package var generation: Int64?
    /// When the token that names the lease has run out, in seconds since 1970; nil where no token names it.
    package var tokenEndsAt: UInt32?

    /// Names a lease.
    package init(
        target: Target, caller: Caller, anyCaller: Bool = false, generation: Int64? = nil, tokenEndsAt: UInt32? = nil
    ) {
        self.target = target
        self.caller = caller
        self.anyCaller = anyCaller
        self.generation = generation
        self.tokenEndsAt = tokenEndsAt
    }
}
