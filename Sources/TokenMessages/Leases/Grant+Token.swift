// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AgoraToken

extension Grant {
    /// The signed token of this grant.
    ///
    /// - Parameters:
    ///   - issuedAt: the issue time in seconds since 1970.
    ///   - salt: any number.
    ///   - certificate: the certificate of the project.
    /// - Returns: the token.
    /// - Throws: ``TokenError`` if the App ID is malformed or the grant too large for a token.
    package func token(
        issuedAt: UInt32, salt: UInt32, certificate: AppCertificate
    ) throws(TokenError) -> String {
        switch version {
        case .current: try accessToken(issuedAt: issuedAt, salt: salt).signed(with: certificate)
        case .legacy: try legacyToken(issuedAt: issuedAt, salt: salt).signed(with: certificate)
        }
    }

    /// The token of version 007, ready to be signed.
    ///
    /// - Parameters:
    ///   - issuedAt: the issue time in seconds since 1970.
    ///   - salt: any number.
    /// - Returns: the token.
    /// - Throws: ``TokenError`` if the App ID is malformed.
    package func accessToken(issuedAt: UInt32, salt: UInt32) throws(TokenError) -> AccessToken {
        AccessToken(appID: try AppID(appID), issuedAt: issuedAt, lifetime: lifetime, salt: salt, services: services)
    }

    private var services: [Service] {
        let account = scope.user.packed
        return switch scope.service {
        case .rtc: [call]
        case .rtm: [signaling(account)]
        case .rtcRTM: [call, signaling(scope.signalingUser)]
        case .convoAI: [call, signaling(scope.signalingUser), .convoAI(privileges: [:])]
        case .stt: [call, signaling(scope.signalingUser), .stt(privileges: [:])]
        case .streaming: [.streaming(channel: scope.channel, account: account, privileges: map(.streaming))]
        case .fcdn: [.fcdn(channel: scope.channel, account: account, privileges: map(.fcdn))]
        case .fpa: [.fpa(privileges: map(.fpa))]
        case .rtm2:
            [
                .rtm2(
                    userID: account, permissions: permissions ?? RTMPermissions(),
                    privileges: map(.rtm2, isExplicit: true))
            ]
        case .chatUser, .chatApp: [.chat(userID: account, privileges: map(.chat, isExplicit: true))]
        case .apaasUser, .apaasApp:
            [.apaas(room: "", user: account, role: -1, privileges: map(.apaas, isExplicit: true))]
        case .apaasRoomUser:
            AccessToken.roomUserServices(
                room: scope.roomUUID ?? "", user: account, role: apaasRole ?? -1, lifetime: lifetime)
        }
    }

    private var call: Service {
        .rtc(channel: scope.channel, account: scope.user.packed, privileges: map(.rtc))
    }

    private func signaling(_ userID: String) -> Service {
        .rtm(userID: userID, privileges: map(.rtm, isExplicit: true))
    }

    /// The privileges of one service of the token.
    ///
    /// Where Agora's builders write the lifetime as the time of a privilege, never 0, it is explicit.
    private func map(_ kind: Service.Kind, isExplicit: Bool = false) -> Privileges {
        var map = Privileges()
        for entry in privileges.entries {
            guard let id = entry.privilege.id(in: kind) else { continue }
            map[id] = isExplicit && entry.seconds == 0 ? lifetime : min(entry.seconds, lifetime)
        }
        return map
    }
}
