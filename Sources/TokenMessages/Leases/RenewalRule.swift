// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a renewal changes: the times, and nothing else.
///
/// Project, services, user and privileges stay. Without `expire` the token lasts as long as its predecessor did.
/// Privileges keep their seconds from issue, up to the new lifetime. The lease never ends earlier than before, and
/// later unless it is renewed in the second in which it was issued.
package struct RenewalRule: Sendable, Hashable {
    /// The grant to sign.
    package let grant: Grant
    /// What was done otherwise than asked, in plain sentences.
    package let warnings: [String]

    /// Renews a grant.
    ///
    /// - Parameters:
    ///   - old: the grant of the token that is replaced.
    ///   - issuedAt: its issue time in seconds since 1970.
    ///   - now: the issue time of the new token in seconds since 1970.
    ///   - expire: the lifetime that is asked for, in seconds; nil for that of the predecessor.
    package init(renewing old: Grant, issuedAt: UInt32, at now: UInt32, expire: UInt32?) {
        let wanted = min(max(expire ?? old.lifetime, 1), Grant.longestLifetime)
        let oldEnd = old.end(issuedAt: issuedAt)
        let margin: UInt32 = now > issuedAt ? 1 : 0
        let needed = oldEnd > now ? min(oldEnd - now + margin, Grant.longestLifetime) : 0
        let lifetime = max(wanted, needed)
        grant = old.lasting(lifetime)
        if let expire, lifetime > expire {
            warnings = ["lifetime \(lifetime) s instead of \(expire) s: a renewal never ends a lease earlier"]
        } else {
            warnings = []
        }
    }
}
