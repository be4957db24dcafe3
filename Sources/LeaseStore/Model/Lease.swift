// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// One generation of a lease: everything that the token, the reply and the notices are made of.
///
/// The token is a pure function of this value and the certificate, so that a repeated request gets the same bytes.
package struct Lease: Sendable, Hashable {
    /// The key of the row.
    package var key: Key
    /// The name that callers use: their own, or one made from the key.
    package var id: String
    /// Whose lease it is.
    package var caller: Caller
    /// Grows with each change, also across an end and a new request; below 2^53.
    package var generation: Int64
    /// The token's issue time by the store's clock, in seconds since 1970.
    package var issuedAt: UInt32
    /// The end of the lease in seconds since 1970: that of the token, or of the join or login privilege if earlier.
    package var expiresAt: UInt32
    /// The token's salt.
    package var salt: UInt32
    /// What is signed.
    package var grant: Grant
    /// The leads that were asked for, in seconds.
    package var leads: [UInt32]
    /// The steps of this generation and the moments at which they are due.
    package var schedule: Schedule
    /// The fingerprint of the certificate that signed it.
    package var certificate: String
    /// The trace that the request came with.
    package var trace: TraceContext?
    /// How the worker renews it by itself; `nil` where it does not.
    package var renewal: RenewalPlan?
    /// Whether it was cancelled: a tombstone, which stands until the token itself has run out.
    package var isCancelled: Bool
}
