// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AgoraToken

/// What is signed, apart from when: the part of a lease that its renewals keep.
///
/// A token is a pure function of a grant, an issue time, a salt and a certificate.
package struct Grant: Sendable, Hashable {
    /// The longest lifetime that Agora honours: a day, in seconds.
    package static let longestLifetime: UInt32 = 86_400

    /// The App ID of the project, as configured.
    package let appID: String
    /// Service, channel and user.
    package let scope: TokenScope
    /// The role whose privileges these are; nil if they are another set.
    package let role: Role?
    /// Seconds from issue to the token's end: 1 to 86400.
    package private(set) var lifetime: UInt32
    /// Each privilege and the seconds it was given, from issue; 0 for as long as the token.
    ///
    /// A value may be longer than a lifetime that a renewal has shortened; it counts up to the lifetime.
    package let privileges: PrivilegeTimes
    /// The format of the token.
    package let version: TokenVersion
    /// The user's role in a room of Flexible Classroom.
    package let apaasRole: Int16?
    /// What the user of `rtm2` may read and write.
    package let permissions: RTMPermissions?

    /// Takes checked parts together.
    package init(
        appID: String, scope: TokenScope, lifetime: UInt32, privileges: PrivilegeTimes,
        version: TokenVersion = .current, apaasRole: Int16? = nil, permissions: RTMPermissions? = nil
    ) {
        self.appID = appID
        self.scope = scope
        self.lifetime = lifetime
        self.privileges = privileges
        self.version = version
        self.apaasRole = apaasRole
        self.permissions = permissions
        role = Role.allCases.first { role in
            role.privileges(of: scope.service).elementsEqual(privileges.entries) { $0 == $1.privilege }
        }
    }

    /// The same grant for another lifetime in seconds.
    package func lasting(_ lifetime: UInt32) -> Grant {
        var grant = self
        grant.lifetime = lifetime
        return grant
    }

    /// Seconds from issue to the end of the lease: that of the token, or of the first privilege without which the
    /// user is out.
    package var duration: UInt32 {
        privileges.entries.reduce(lifetime) { end, entry in
            entry.privilege.endsLease && entry.seconds > 0 ? min(end, entry.seconds) : end
        }
    }

    /// The end of the lease, in seconds since 1970.
    package func end(issuedAt: UInt32) -> UInt32 { Self.add(issuedAt, duration) }

    /// The end of the token itself, in seconds since 1970: until then a cancelled lease keeps its tombstone.
    package func tokenEnd(issuedAt: UInt32) -> UInt32 { Self.add(issuedAt, lifetime) }

    /// Each privilege with its end in seconds since 1970.
    package func privileges(issuedAt: UInt32) -> [PrivilegeTime] {
        privileges.entries.map { entry in
            let seconds = entry.seconds == 0 ? lifetime : min(entry.seconds, lifetime)
            return PrivilegeTime(entry.privilege, Self.add(issuedAt, seconds))
        }
    }

    /// What the holder should know of the grant, in plain sentences.
    package var warnings: [String] {
        scope.isWildcard ? ["uid 0: any user can join the channel with this token"] : []
    }

    private static func add(_ time: UInt32, _ seconds: UInt32) -> UInt32 {
        let (sum, overflow) = time.addingReportingOverflow(seconds)
        return overflow ? .max : sum
    }
}
