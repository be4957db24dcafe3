// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension AccessToken {
    /// A token for full-path acceleration, which lasts a day.
    ///
    /// It corresponds to the official `FpaTokenBuilder.buildToken`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func fpa(appID: AppID, issuedAt: UInt32? = nil, salt: UInt32? = nil) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: maximumLifetime, salt: salt,
            services: [.fpa(privileges: [FPAPrivilege.login: 0])])
    }
}
