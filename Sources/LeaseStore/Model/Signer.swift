// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A worker that signs with a certificate.
///
/// Stores remember who signed with what and until when, since leases do not tell of every token: some were replaced,
/// and some had no lease.
package struct Signer: Sendable, Hashable {
    /// How operators know the worker: `HOST/PID`.
    package var worker: String
    /// The project.
    package var appID: String
    /// The certificate's fingerprint.
    package var certificate: String

    /// How long a store remembers one that is not heard of any more, in seconds: for longer than any token lives.
    package static let memory: Int64 = 2 * 86_400

    /// Names a worker and what it signs with.
    package init(worker: String, appID: String, certificate: String) {
        self.worker = worker
        self.appID = appID
        self.certificate = certificate
    }
}
