// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension AccessToken {
    /// A token for real-time messaging.
    ///
    /// It corresponds to the official `RtmTokenBuilder2.buildToken`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - userID: The user who logs in.
    ///   - lifetime: Seconds until the token and the login run out, 1 to 86,400.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func rtm(
        appID: AppID, userID: String, lifetime: UInt32, issuedAt: UInt32? = nil, salt: UInt32? = nil
    ) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: salt,
            services: [.rtm(userID: userID, privileges: [RTMPrivilege.login: lifetime])])
    }

    /// A token for real-time messaging with permissions for channels, groups and users.
    ///
    /// It corresponds to the official `RtmTokenBuilder2.buildTokenWithPermissions`, which Agora offers on request.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - userID: The user who logs in.
    ///   - permissions: What the user may read and write.
    ///   - lifetime: Seconds until the token and the login run out, 1 to 86,400.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func rtm2(
        appID: AppID, userID: String, permissions: RTMPermissions, lifetime: UInt32, issuedAt: UInt32? = nil,
        salt: UInt32? = nil
    ) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: salt,
            services: [
                .rtm2(userID: userID, permissions: permissions, privileges: [RTMPrivilege.login: lifetime])
            ])
    }
}
