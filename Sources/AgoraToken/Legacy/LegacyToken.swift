// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The content of a legacy AccessToken ("006"), which Agora has replaced by ``AccessToken``.
///
/// It knows calls and real-time messaging only. All its times are moments, in seconds since 1970. The channel and the
/// account are not in the token, only their checksums.
public struct LegacyToken: Sendable, Hashable {
    /// The project.
    public var appID: AppID
    /// The channel; for real-time messaging, the user.
    public var channel: String
    /// The user's account, or the digits of a uid; empty for any user, and for real-time messaging.
    public var account: String
    /// When the token runs out, in seconds since 1970.
    public var expiresAt: UInt32
    /// A number that makes two otherwise equal tokens differ.
    public var salt: UInt32
    /// Until when each privilege is granted, in seconds since 1970, or 0 for as long as the token.
    public var privileges: Privileges

    /// Describes a legacy token.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - channel: The channel; for real-time messaging, the user.
    ///   - account: The user's account or the digits of a uid, empty for any user and for real-time messaging.
    ///   - expiresAt: When the token runs out, in seconds since 1970; by default a day from now, as in the official
    ///     builders.
    ///   - salt: By default a random number from the system.
    ///   - privileges: Until when each privilege is granted, in seconds since 1970, or 0 for as long as the token.
    public init(
        appID: AppID, channel: String, account: String, expiresAt: UInt32? = nil, salt: UInt32? = nil,
        privileges: Privileges
    ) {
        self.appID = appID
        self.channel = channel
        self.account = account
        self.expiresAt = expiresAt ?? SystemSource.now() &+ AccessToken.maximumLifetime
        self.salt = salt ?? SystemSource.randomUInt32()
        self.privileges = privileges
    }

    /// A token for a call.
    ///
    /// It corresponds to the official `RtcTokenBuilder.buildTokenWithUid` and `buildTokenWithUserAccount`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - channel: The channel name.
    ///   - user: A uid or an account, as the client will join.
    ///   - role: What the user may do.
    ///   - privilegesUntil: When the privileges run out, in seconds since 1970, or 0 for as long as the token.
    ///   - expiresAt: When the token runs out, in seconds since 1970; by default a day from now.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func rtc(
        appID: AppID, channel: String, user: RTCUser, role: LegacyRole = .publisher, privilegesUntil: UInt32,
        expiresAt: UInt32? = nil, salt: UInt32? = nil
    ) -> LegacyToken {
        LegacyToken(
            appID: appID, channel: channel, account: user.packed, expiresAt: expiresAt, salt: salt,
            privileges: role.privileges(until: privilegesUntil))
    }

    /// A token for real-time messaging.
    ///
    /// It corresponds to the official `RtmTokenBuilder.buildToken`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - userID: The user who logs in.
    ///   - privilegesUntil: When the login runs out, in seconds since 1970, or 0 for as long as the token.
    ///   - expiresAt: When the token runs out, in seconds since 1970; by default a day from now.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func rtm(
        appID: AppID, userID: String, privilegesUntil: UInt32, expiresAt: UInt32? = nil, salt: UInt32? = nil
    ) -> LegacyToken {
        LegacyToken(
            appID: appID, channel: userID, account: "", expiresAt: expiresAt, salt: salt,
            privileges: [LegacyPrivilege.rtmLogin: privilegesUntil])
    }
}
