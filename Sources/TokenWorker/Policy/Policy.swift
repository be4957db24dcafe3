// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

/// Who may have which tokens.
///
/// It is asked about what is signed, at every signature, not about what a message claims.
struct Policy: Sendable {
    /// Allows everything for the configured projects; leases stay with their callers.
    static let everything = Policy()

    /// Why `caller` may not have a token for `grant`, or `nil` where it may.
    func refusal(_ caller: Caller, _ grant: Grant) -> MessageError? { nil }

    /// Whether `caller` may renew and cancel the leases of others.
    func allowsLeasesOfOthers(_ caller: Caller) -> Bool { false }
}
