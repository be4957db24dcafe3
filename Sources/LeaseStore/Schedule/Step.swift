// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// One moment of a lease's life at which something is to be said or done.
package struct Step: Sendable, Hashable {
    /// What happens at a step.
    ///
    /// The raw value is what the database holds.
    package enum Kind: Character, Sendable, Hashable {
        /// The notice before an end.
        case willExpire = "w"
        /// The notice of the end; it is the last step.
        case expired = "e"
        /// The end of a tombstone; nothing is said.
        case purge = "p"
    }

    /// What happens.
    package var kind: Kind
    /// When, in seconds since 1970, before jitter.
    package var at: UInt32
    /// How many seconds before the end it is about; 0 for the end itself.
    package var lead: UInt32

    /// The end that this step is about, in seconds since 1970.
    package var end: UInt32 { at + lead }

    /// A step of a kind, `lead` seconds before `end`.
    package init(_ kind: Kind, lead: UInt32 = 0, end: UInt32) {
        self.kind = kind
        self.lead = lead
        at = end - lead
    }
}
