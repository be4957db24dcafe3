// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AgoraToken

extension Grant {
    /// The token of version 006, ready to be signed.
    ///
    /// As Agora's builders make it, the token itself lasts a day, and what ends earlier are its privileges.
    ///
    /// - Parameters:
    ///   - issuedAt: the issue time in seconds since 1970.
    ///   - salt: any number.
    /// - Returns: the token.
    /// - Throws: ``TokenError`` if the App ID is malformed.
    package func legacyToken(issuedAt: UInt32, salt: UInt32) throws(TokenError) -> LegacyToken {
        var map = Privileges()
        for entry in privileges.entries {
            guard let id = entry.privilege == .login ? LegacyPrivilege.rtmLogin : entry.privilege.id(in: .rtc) else {
                continue
            }
            map[id] = legacyEnd(entry.seconds, issuedAt: issuedAt)
        }
        return LegacyToken(
            appID: try AppID(appID), channel: legacyChannel, account: legacyAccount,
            expiresAt: issuedAt &+ Self.longestLifetime, salt: salt, privileges: map)
    }

    /// Until when a privilege lasts, in seconds since 1970; 0 for as long as the token, which is a day.
    private func legacyEnd(_ seconds: UInt32, issuedAt: UInt32) -> UInt32 {
        if seconds == 0, lifetime == Self.longestLifetime { return 0 }
        return issuedAt &+ (seconds == 0 ? lifetime : min(seconds, lifetime))
    }

    /// What stands in the place of the channel.
    private var legacyChannel: String { scope.service == .rtm ? scope.user.packed : scope.channel }

    /// What stands in the place of the user.
    private var legacyAccount: String { scope.service == .rtm ? "" : scope.user.packed }

    /// Whether a token of version 006, which does not tell for whom it is, was signed for this grant.
    package func isProved(by token: ParsedLegacyToken, certificate: AppCertificate) -> Bool {
        version == .legacy && token.appID.description == appID
            && token.isSigned(by: certificate, channel: legacyChannel, account: legacyAccount)
    }

    /// The issue time of a token of version 006, in seconds since 1970.
    package static func issueTime(_ token: ParsedLegacyToken) -> UInt32 { token.expiresAt &- longestLifetime }

    /// The end of the lease of a token of version 006, in seconds since 1970.
    package static func end(_ token: ParsedLegacyToken) -> UInt32 {
        let ends = [RTCPrivilege.joinChannel, LegacyPrivilege.rtmLogin].compactMap { token.privileges[$0] }
        return ends.filter { $0 > 0 }.reduce(token.expiresAt, min)
    }

    /// The key by which a token of this grant leads to its lease where its scope cannot.
    ///
    /// - Parameters:
    ///   - issuedAt: the issue time in seconds since 1970.
    ///   - salt: the salt.
    /// - Returns: the key.
    package func tokenKey(issuedAt: UInt32, salt: UInt32) -> Key {
        switch version {
        case .current: .token(appID: appID, issuedAt: issuedAt, salt: salt, scope: scope)
        case .legacy: .legacyToken(appID: appID, issuedAt: issuedAt, salt: salt)
        }
    }

    /// Whether the lease of a token of this grant cannot be found by what the token says of its scope.
    package var needsTokenKey: Bool { scope.isWildcard || version == .legacy }
}
