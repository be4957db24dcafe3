// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The text by which messages name a lease: the caller's own, or `l-` and the lease's key.
package enum LeaseID {
    /// The text for a lease.
    ///
    /// - Parameters:
    ///   - key: the key of the lease.
    ///   - own: the caller's own name for it, if it gave one.
    /// - Returns: the `leaseId` of messages.
    package static func text(key: Key, own: String?) -> String { own ?? key.text(after: "l-") }

    /// The key of the lease that a caller means by a text, or nil if no lease can have that id.
    ///
    /// For a generated id the lease that is found may still be another caller's.
    ///
    /// - Parameters:
    ///   - text: the `leaseId` of a message.
    ///   - caller: who sent the message.
    /// - Returns: the key to look up.
    package static func key(_ text: String, caller: Caller) -> Key? {
        text.hasPrefix("l-") ? Key(hex: text.dropFirst(2)) : .lease(caller: caller, leaseID: text)
    }
}
