// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension AccessToken {
    /// A token for one user of the chat service.
    ///
    /// It corresponds to the official `ChatTokenBuilder2.buildUserToken`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - userID: The user's name or UUID as registered with Agora Chat.
    ///   - lifetime: Seconds until the token runs out, 1 to 86,400.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func chatUser(
        appID: AppID, userID: String, lifetime: UInt32, issuedAt: UInt32? = nil, salt: UInt32? = nil
    ) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: salt,
            services: [.chat(userID: userID, privileges: [ChatPrivilege.user: lifetime])])
    }

    /// A token that administers the chat service.
    ///
    /// It corresponds to the official `ChatTokenBuilder2.buildAppToken`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - lifetime: Seconds until the token runs out, 1 to 86,400.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func chatApp(
        appID: AppID, lifetime: UInt32, issuedAt: UInt32? = nil, salt: UInt32? = nil
    ) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: salt,
            services: [.chat(userID: "", privileges: [ChatPrivilege.app: lifetime])])
    }
}
