// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// What became of an operation.
package indirect enum LeaseResult: Sendable, Hashable {
    /// A new generation, durable: sign it.
    case granted(Lease)
    /// The generation that the same message made before: sign it again, the token is the same.
    case repeated(Lease)
    /// The lease is a tombstone. `already` is true when it was one before this message.
    case cancelled(Lease, already: Bool)
    /// The lease is gone, or was not there in this generation (false).
    case ended(Bool)
    /// Nothing was changed.
    case refused(LeaseRefusal)
}

/// Why an operation changed nothing.
package enum LeaseRefusal: Error, Sendable, Hashable {
    /// There is no such lease, or it is another caller's, or, asked for by its id, it is past its end.
    case notFound
    /// The lease, asked for by its token, is past its end.
    case expired
    /// The lease has a newer generation.
    case superseded
    /// The lease was cancelled.
    case cancelled
    /// The same message id came before with another body.
    case idempotencyConflict
    /// Policy says no.
    case denied(MessageError)
    /// The database refuses a value of this operation.
    case rejectedByStore(String)
}

/// What policy says of a generation that is about to be stored.
package enum Judgement: Sendable, Hashable {
    /// It may be; the certificate with this fingerprint will sign it.
    case allowed(certificate: String)
    /// It may not.
    case denied(MessageError)
}
