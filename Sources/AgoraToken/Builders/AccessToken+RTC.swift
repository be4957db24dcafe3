// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension AccessToken {
    /// A token for a voice or video call.
    ///
    /// It corresponds to the official `RtcTokenBuilder2.buildTokenWithUid` and `buildTokenWithUserAccount`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - channel: The channel name.
    ///   - user: A uid or an account, as the client will join.
    ///   - role: Publisher or subscriber.
    ///   - lifetime: Seconds until the token runs out, 1 to 86,400.
    ///   - privilegeLifetime: Seconds until each privilege runs out, 0 for as long as the token.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func rtc(
        appID: AppID, channel: String, user: RTCUser, role: RTCRole = .publisher, lifetime: UInt32,
        privilegeLifetime: UInt32 = 0, issuedAt: UInt32? = nil, salt: UInt32? = nil
    ) -> AccessToken {
        rtc(
            appID: appID, channel: channel, user: user, privileges: role.privileges(privilegeLifetime),
            lifetime: lifetime, issuedAt: issuedAt, salt: salt)
    }

    /// A token for a voice or video call with a lifetime for each privilege.
    ///
    /// It corresponds to the official `RtcTokenBuilder2.buildTokenWithUidAndPrivilege` and
    /// `buildTokenWithUserAccountAndPrivilege`, which always grant all four of ``RTCPrivilege``.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - channel: The channel name.
    ///   - user: A uid or an account, as the client will join.
    ///   - privileges: Seconds by identifiers of ``RTCPrivilege``.
    ///   - lifetime: Seconds until the token runs out, 1 to 86,400.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func rtc(
        appID: AppID, channel: String, user: RTCUser, privileges: Privileges, lifetime: UInt32,
        issuedAt: UInt32? = nil, salt: UInt32? = nil
    ) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: salt,
            services: [.rtc(channel: channel, account: user.packed, privileges: privileges)])
    }
}
