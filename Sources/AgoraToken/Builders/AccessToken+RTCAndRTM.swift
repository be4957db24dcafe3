// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension AccessToken {
    /// A token for a call and for real-time messaging under the same name.
    ///
    /// It corresponds to the official `RtcTokenBuilder2.buildTokenWithRtm`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - channel: The channel name.
    ///   - account: Who joins the channel and logs in to messaging.
    ///   - role: Publisher or subscriber.
    ///   - lifetime: Seconds until the token and the login run out, 1 to 86,400.
    ///   - privilegeLifetime: Seconds until each privilege of the call runs out, 0 for as long as the token.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func rtcAndRTM(
        appID: AppID, channel: String, account: String, role: RTCRole = .publisher, lifetime: UInt32,
        privilegeLifetime: UInt32 = 0, issuedAt: UInt32? = nil, salt: UInt32? = nil
    ) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: salt,
            services: [
                .rtc(channel: channel, account: account, privileges: role.privileges(privilegeLifetime)),
                .rtm(userID: account, privileges: [RTMPrivilege.login: lifetime]),
            ])
    }

    /// A token for a call and for real-time messaging, with a name and lifetimes for each.
    ///
    /// It corresponds to the official `RtcTokenBuilder2.buildTokenWithRtm2`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - call: Who joins which channel, and what they may do.
    ///   - rtmUserID: Who logs in to messaging.
    ///   - rtmLifetime: Seconds until the login runs out.
    ///   - lifetime: Seconds until the token runs out, 1 to 86,400.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func rtcAndRTM(
        appID: AppID, call: RTCCall, rtmUserID: String, rtmLifetime: UInt32, lifetime: UInt32,
        issuedAt: UInt32? = nil, salt: UInt32? = nil
    ) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: salt,
            services: services(call, rtmUserID: rtmUserID, rtmLifetime: rtmLifetime))
    }

    /// A token for conversational AI in a call with messaging.
    ///
    /// It corresponds to the official `ConvoAITokenBuilder.buildToken`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - call: Who joins which channel, and what they may do.
    ///   - rtmUserID: Who logs in to messaging.
    ///   - rtmLifetime: Seconds until the login runs out.
    ///   - lifetime: Seconds until the token runs out, 1 to 86,400.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func convoAI(
        appID: AppID, call: RTCCall, rtmUserID: String, rtmLifetime: UInt32, lifetime: UInt32,
        issuedAt: UInt32? = nil, salt: UInt32? = nil
    ) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: salt,
            services: services(call, rtmUserID: rtmUserID, rtmLifetime: rtmLifetime) + [.convoAI(privileges: [:])])
    }

    /// A token for speech to text in a call with messaging.
    ///
    /// It corresponds to the official `SttTokenBuilder.buildToken`.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - call: Who joins which channel, and what they may do.
    ///   - rtmUserID: Who logs in to messaging.
    ///   - rtmLifetime: Seconds until the login runs out.
    ///   - lifetime: Seconds until the token runs out, 1 to 86,400.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - salt: By default a random number from the system.
    /// - Returns: The token, to be signed.
    public static func speechToText(
        appID: AppID, call: RTCCall, rtmUserID: String, rtmLifetime: UInt32, lifetime: UInt32,
        issuedAt: UInt32? = nil, salt: UInt32? = nil
    ) -> AccessToken {
        AccessToken(
            appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: salt,
            services: services(call, rtmUserID: rtmUserID, rtmLifetime: rtmLifetime) + [.stt(privileges: [:])])
    }

    private static func services(_ call: RTCCall, rtmUserID: String, rtmLifetime: UInt32) -> [Service] {
        [
            .rtc(channel: call.channel, account: call.user.packed, privileges: call.granted),
            .rtm(userID: rtmUserID, privileges: [RTMPrivilege.login: rtmLifetime]),
        ]
    }
}
