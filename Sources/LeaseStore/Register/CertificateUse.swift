// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What rests on each certificate, as far as a store knows.
package struct CertificateUse: Sendable, Hashable {
    /// The leases of one certificate.
    package struct Leases: Sendable, Hashable {
        /// The certificate's fingerprint.
        package var certificate: String
        /// How many have not ended and were not cancelled.
        package var live: Int
        /// The end of the last of these, in seconds since 1970.
        package var lastEnd: Int64
        /// When the last of these got its token, in seconds since 1970.
        package var lastIssue: Int64
    }

    /// A worker that signs, or signed, with a certificate.
    package struct Record: Sendable, Hashable {
        package var signer: Signer
        /// When it was first heard of, in seconds since 1970.
        package var firstAt: Int64
        /// When it was last heard of, in seconds since 1970.
        package var lastAt: Int64
    }

    /// The store's clock in seconds since 1970.
    package var now: Int64
    /// One entry for each certificate that live leases rest on, in the order of the fingerprints.
    package var leases: [Leases] = []
    /// In the order of workers, projects and fingerprints.
    package var records: [Record] = []
}
