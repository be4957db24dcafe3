// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Examination {
    /// Checks that the service grants what it is used for, and still does.
    mutating func examinePrivileges(_ service: Service, _ token: ParsedToken, isAlive: Bool) {
        let kind = service.kind
        let needed = Self.needed(kind)
        guard !needed.isEmpty else { return }
        let granted = needed.filter { service.privileges[$0.id] != nil }
        guard !granted.isEmpty else {
            refuse(
                .missingPrivilege, "The token does not grant to \(needed.map(\.name).joined(separator: " or to ")).",
                "Make a token with that privilege.", .invalid(kind))
            return
        }
        guard isAlive else { return }
        let ends = granted.map { end(service.privileges[$0.id] ?? 0, token) }
        if let last = ends.max(), last <= moment {
            refuse(
                .expiredPrivilege,
                "The privilege to \(granted[0].name) ran out at \(Wording.moment(last)),"
                    + " \(Wording.duration(moment - last)) ago; the token itself has not.",
                "Renew the token, or give the privilege the lifetime of the token.", .expired(kind))
        }
        if kind == .rtc { remarkPublishing(service.privileges, token) }
    }

    /// The second at which a privilege ends, unless the token does so earlier.
    private func end(_ seconds: UInt32, _ token: ParsedToken) -> UInt64 {
        let lifetime = min(token.lifetime, AccessToken.maximumLifetime)
        return UInt64(token.issuedAt) + UInt64(seconds == 0 ? lifetime : min(seconds, lifetime))
    }

    private mutating func remarkPublishing(_ privileges: Privileges, _ token: ParsedToken) {
        let kinds: [(id: UInt16, name: String)] = [
            (RTCPrivilege.publishAudioStream, "audio"), (RTCPrivilege.publishVideoStream, "video"),
            (RTCPrivilege.publishDataStream, "data"),
        ]
        let missing = kinds.filter { privileges[$0.id] == nil }.map(\.name)
        if !missing.isEmpty {
            remark(
                .notPublishing, "The token does not grant to publish \(missing.joined(separator: ", ")).",
                "Agora enforces that only where co-host authentication is enabled for the project.")
        }
        let ended = kinds.filter { kind in
            privileges[kind.id].map { end($0, token) <= moment } ?? false
        }
        if !ended.isEmpty {
            remark(
                .notPublishing,
                "The privilege to publish \(ended.map(\.name).joined(separator: ", ")) has run out.",
                "Renew the token to publish again.")
        }
    }

    /// What a service is used for: any one of these.
    private static func needed(_ kind: Service.Kind) -> [(id: UInt16, name: String)] {
        switch kind {
        case .rtc: [(RTCPrivilege.joinChannel, "join the channel")]
        case .rtm, .rtm2: [(RTMPrivilege.login, "log in")]
        case .streaming:
            [
                (StreamingPrivilege.publishMixStream, "publish a mixed stream"),
                (StreamingPrivilege.publishRawStream, "publish a raw stream"),
            ]
        case .fpa: [(FPAPrivilege.login, "log in")]
        case .chat: [(ChatPrivilege.user, "act as the user"), (ChatPrivilege.app, "administer the application")]
        case .fcdn: [(FCDNPrivilege.publish, "publish"), (FCDNPrivilege.play, "play")]
        case .apaas:
            [
                (APaaSPrivilege.roomUser, "act as a user in the room"), (APaaSPrivilege.user, "act as the user"),
                (APaaSPrivilege.app, "administer the application"),
            ]
        case .convoAI, .stt: []
        }
    }
}
