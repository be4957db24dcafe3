// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AgoraToken

extension Grant {
    /// The token of this grant, ready to be signed.
    ///
    /// - Parameters:
    ///   - issuedAt: the issue time in seconds since 1970.
    ///   - salt: any number.
    /// - Returns: the token.
    /// - Throws: ``TokenError`` if the App ID is malformed.
    package func accessToken(issuedAt: UInt32, salt: UInt32) throws(TokenError) -> AccessToken {
        var services: [Service] = []
        if scope.service != .rtm {
            services.append(
                .rtc(channel: scope.channelName ?? "", account: scope.user.packed, privileges: rtcPrivileges))
        }
        if scope.service != .rtc {
            services.append(.rtm(userID: scope.user.packed, privileges: rtmPrivileges))
        }
        return AccessToken(
            appID: try AppID(appID), issuedAt: issuedAt, lifetime: lifetime, salt: salt, services: services)
    }

    private var rtcPrivileges: Privileges {
        var map = Privileges()
        for entry in privileges.entries {
            if let id = entry.privilege.rtcID { map[id] = min(entry.seconds, lifetime) }
        }
        return map
    }

    /// Agora's builders write the lifetime as the time of the login, never 0.
    private var rtmPrivileges: Privileges {
        var map = Privileges()
        if let seconds = privileges[.login] {
            map[RTMPrivilege.login] = seconds == 0 ? lifetime : min(seconds, lifetime)
        }
        return map
    }
}

extension Grant {
    /// What a token grants, as far as requests could have asked for it.
    ///
    /// - Parameter token: a token whose signature holds.
    /// - Throws: `unsupported_service` if it carries other services, privileges or users than one request can name.
    package init(_ token: ParsedToken) throws(MessageError) {
        var entries: [PrivilegeTime] = []
        for service in token.services {
            for entry in service.privileges.entries {
                guard let privilege = Privilege(id: entry.id, serviceType: service.type) else {
                    throw Self.foreign("privilege \(entry.id) of service \(service.type)")
                }
                let isLogin = privilege == .login && entry.seconds >= token.lifetime
                entries.append(PrivilegeTime(privilege, isLogin ? 0 : entry.seconds))
            }
        }
        guard token.unknownServiceType == nil else { throw Self.foreign("a service that is not known") }
        self.init(
            appID: token.appID.description, scope: try Self.scope(of: token.services), lifetime: token.lifetime,
            privileges: PrivilegeTimes(entries))
    }

    private static func scope(of services: [Service]) throws(MessageError) -> TokenScope {
        switch services.count {
        case 1:
            if case .rtc(let channel, let account, _) = services[0] {
                return TokenScope(service: .rtc, channelName: channel, user: UserIdentity(packed: account))
            }
            if case .rtm(let userID, _) = services[0] {
                return TokenScope(service: .rtm, channelName: nil, user: .userID(userID))
            }
        case 2:
            if case .rtc(let channel, let account, _) = services[0], case .rtm(let userID, _) = services[1],
                account == userID
            {
                return TokenScope(service: .rtcRTM, channelName: channel, user: UserIdentity(packed: account))
            }
        default: break
        }
        throw foreign("other services than rtc, rtm or rtc+rtm for one user")
    }

    private static func foreign(_ what: String) -> MessageError {
        MessageError(.unsupportedService, "the token carries \(what), which cannot be renewed here", field: "token")
    }
}

extension Privilege {
    /// The id in the RTC service, nil for a privilege of another.
    var rtcID: UInt16? {
        switch self {
        case .joinChannel: RTCPrivilege.joinChannel
        case .publishAudioStream: RTCPrivilege.publishAudioStream
        case .publishVideoStream: RTCPrivilege.publishVideoStream
        case .publishDataStream: RTCPrivilege.publishDataStream
        case .login: nil
        }
    }

    /// The privilege of this id in a service's numbering.
    package init?(id: UInt16, serviceType: UInt16) {
        switch serviceType {
        case 1:
            guard let privilege = Self.allCases.first(where: { $0.rtcID == id }) else { return nil }
            self = privilege
        case 2 where id == RTMPrivilege.login: self = .login
        default: return nil
        }
    }
}

extension UserIdentity {
    /// The user that an account in a token stands for: a number if it is written like one, since the token does not
    /// tell uid 12345 from account "12345".
    package init(packed: String) {
        if packed.isEmpty {
            self = .uid(0)
        } else if let number = UInt32(packed), number > 0, String(number) == packed {
            self = .uid(number)
        } else {
            self = .account(packed)
        }
    }
}
