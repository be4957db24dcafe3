// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension AccessToken {
    /// The role of tokens that are for no room.
    private static let noRole: Int16 = -1

    /// A token for one user in one room, with messaging and chat.
    ///
    /// It corresponds to the official `ApaasTokenBuilder.buildRoomUserToken` and
    /// `EducationTokenBuilder2.buildRoomUserToken`. The chat user is named by the MD5 of the user's UUID.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - room: The UUID of the room.
    ///   - user: The UUID of the user.
    ///   - role: The user's role in the room, as the product defines it.
    ///   - lifetime: Seconds until the token runs out, 1 to 86,400.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func apaasRoomUser(
        appID: AppID, room: String, user: String, role: Int16, lifetime: UInt32, issuedAt: UInt32? = nil,
        salt: UInt32? = nil
    ) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: salt,
            services: roomUserServices(room: room, user: user, role: role, lifetime: lifetime))
    }

    /// The services of ``apaasRoomUser(appID:room:user:role:lifetime:issuedAt:salt:)``.
    package static func roomUserServices(room: String, user: String, role: Int16, lifetime: UInt32) -> [Service] {
        [
            .apaas(room: room, user: user, role: role, privileges: [APaaSPrivilege.roomUser: lifetime]),
            .rtm(userID: user, privileges: [RTMPrivilege.login: lifetime]),
            .chat(userID: Hex.encode(MD5.hash(user.utf8)), privileges: [ChatPrivilege.user: lifetime]),
        ]
    }

    /// A token for one user in no room in particular.
    ///
    /// It corresponds to the official `ApaasTokenBuilder.buildUserToken` and `EducationTokenBuilder2.buildUserToken`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - user: The UUID of the user.
    ///   - lifetime: Seconds until the token runs out, 1 to 86,400.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func apaasUser(
        appID: AppID, user: String, lifetime: UInt32, issuedAt: UInt32? = nil, salt: UInt32? = nil
    ) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: salt,
            services: [.apaas(room: "", user: user, role: noRole, privileges: [APaaSPrivilege.user: lifetime])])
    }

    /// A token that administers the application.
    ///
    /// It corresponds to the official `ApaasTokenBuilder.buildAppToken` and `EducationTokenBuilder2.buildAppToken`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - lifetime: Seconds until the token runs out, 1 to 86,400.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func apaasApp(
        appID: AppID, lifetime: UInt32, issuedAt: UInt32? = nil, salt: UInt32? = nil
    ) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: salt,
            services: [.apaas(room: "", user: "", role: noRole, privileges: [APaaSPrivilege.app: lifetime])])
    }
}
