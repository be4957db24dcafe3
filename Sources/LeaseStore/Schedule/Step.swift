// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// One moment of a lease's life at which something is to be said or done.
package struct Step: Sendable, Hashable {
    /// What happens at a step.
    ///
    /// The raw value is what the database holds.
    package enum Kind: Unicode.Scalar, Sendable, Hashable {
        /// The notice before an end.
        case willExpire = "w"
        /// The notice of the end; it is the last step.
        case expired = "e"
        /// The notice that the lease was cancelled.
        case cancelled = "c"
        /// The end of a tombstone; nothing is said.
        case purge = "p"
        /// The worker renews the lease.
        case renew = "a"
        /// The worker sends the token of a renewal of its own to the lease's queue.
        case token = "t"
        /// The notice that the lease has a new token.
        case renewed = "r"

        /// Whether something is done that may fail, and is tried again while the token is valid.
        package var isDeed: Bool {
            switch self {
            case .renew, .token: true
            case .willExpire, .expired, .cancelled, .purge, .renewed: false
            }
        }
    }

    /// What happens.
    package var kind: Kind
    /// When, in seconds since 1970, before jitter.
    package var at: UInt32
    /// How many seconds before each of the ends that it is about, ascending; 0 for the end itself.
    ///
    /// Of a deed, how often it was tried.
    package var leads: [UInt32]

    /// The ends that this step is about, in seconds since 1970.
    package var ends: [UInt32] { leads.map { at + $0 } }

    /// A step of a kind at a moment, for the ends that come `leads` seconds after it.
    package init(_ kind: Kind, at: UInt32, leads: [UInt32] = [0]) {
        self.kind = kind
        self.at = at
        self.leads = leads
    }
}
