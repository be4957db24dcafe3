// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AgoraToken

extension Grant {
    /// What a token grants, as far as requests could have asked for it.
    ///
    /// - Parameter token: a token whose signature holds.
    /// - Throws: `unsupported_service` if it carries other services, privileges or users than one request can name.
    package init(_ token: ParsedToken) throws(MessageError) {
        guard token.unknownServiceType == nil else { throw Self.foreign("a service that is not known") }
        var entries: [PrivilegeTime] = []
        for service in token.services {
            for entry in service.privileges.entries {
                guard let privilege = Privilege(id: entry.id, in: service.kind) else {
                    throw Self.foreign("privilege \(entry.id) of \(service.kind)")
                }
                let lastsAsToken = service.kind != .rtc && entry.seconds >= token.lifetime
                entries.append(PrivilegeTime(privilege, lastsAsToken ? 0 : entry.seconds))
            }
        }
        let scope = try Self.scope(of: token.services)
        guard Set(entries.map(\.privilege)).count == entries.count else {
            throw Self.foreign("a privilege for two services")
        }
        var role: Int16?
        var permissions: RTMPermissions?
        for service in token.services {
            if case .apaas(_, _, let number, _) = service, scope.service == .apaasRoomUser { role = number }
            if case .rtm2(_, let lists, _) = service { permissions = lists }
        }
        self.init(
            appID: token.appID.description, scope: scope, lifetime: token.lifetime,
            privileges: PrivilegeTimes(entries), apaasRole: role, permissions: permissions)
    }

    /// The scope that services in a token make together.
    private static func scope(of services: [Service]) throws(MessageError) -> TokenScope {
        let kinds = services.map(\.kind)
        switch kinds {
        case [.rtc], [.streaming], [.fcdn]: return try channelScope(services[0])
        case [.rtc, .rtm]: return try combined(.rtcRTM, services)
        case [.rtc, .rtm, .convoAI]: return try combined(.convoAI, services)
        case [.rtc, .rtm, .stt]: return try combined(.stt, services)
        case [.rtm, .chat, .apaas]: return try roomScope(services)
        default: break
        }
        guard services.count == 1 else {
            throw foreign("services that no request can ask for together")
        }
        switch services[0] {
        case .rtm(let userID, _):
            return TokenScope(service: .rtm, channelName: nil, user: .userID(userID))
        case .rtm2(let userID, _, _):
            return TokenScope(service: .rtm2, channelName: nil, user: .userID(userID))
        case .fpa: return TokenScope(service: .fpa, channelName: nil, user: .project)
        case .chat("", _): return TokenScope(service: .chatApp, channelName: nil, user: .project)
        case .chat(let userID, _): return TokenScope(service: .chatUser, channelName: nil, user: .userID(userID))
        case .apaas("", "", _, _): return TokenScope(service: .apaasApp, channelName: nil, user: .project)
        case .apaas("", let user, _, _):
            return TokenScope(service: .apaasUser, channelName: nil, user: .userUUID(user))
        default: throw foreign("\(services[0].kind) as no request can ask for it")
        }
    }

    private static func channelScope(_ service: Service) throws(MessageError) -> TokenScope {
        let (name, channel, account): (ServiceName, String, String)
        switch service {
        case .rtc(let inChannel, let user, _): (name, channel, account) = (.rtc, inChannel, user)
        case .streaming(let inChannel, let user, _): (name, channel, account) = (.streaming, inChannel, user)
        case .fcdn(let inChannel, let user, _): (name, channel, account) = (.fcdn, inChannel, user)
        default: throw foreign("a service without a channel")
        }
        return TokenScope(service: name, channelName: channel, user: UserIdentity(packed: account))
    }

    private static func combined(_ name: ServiceName, _ services: [Service]) throws(MessageError) -> TokenScope {
        guard case .rtc(let channel, let account, _) = services[0], case .rtm(let userID, _) = services[1],
            !account.isEmpty, !userID.isEmpty
        else { throw foreign("Signaling without a user") }
        return TokenScope(
            service: name, channelName: channel, user: UserIdentity(packed: account),
            signalingUserID: userID == account ? nil : userID)
    }

    /// The three services of a user in a room have to be for one user.
    private static func roomScope(_ services: [Service]) throws(MessageError) -> TokenScope {
        guard case .apaas(let room, let user, let role, _) = services[2], !room.isEmpty, !user.isEmpty else {
            throw foreign("a room or user without a name")
        }
        let expected = AccessToken.roomUserServices(room: room, user: user, role: role, lifetime: 0)
        let isOneUser = expected.allSatisfy { service in
            switch (service, services[0], services[1]) {
            case (.rtm(let userID, _), .rtm(let found, _), _): userID == found
            case (.chat(let userID, _), _, .chat(let found, _)): userID == found
            default: true
            }
        }
        guard isOneUser else { throw foreign("Flexible Classroom, Signaling and Chat for different users") }
        return TokenScope(service: .apaasRoomUser, channelName: nil, user: .userUUID(user), roomUUID: room)
    }

    private static func foreign(_ what: String) -> MessageError {
        MessageError(.unsupportedService, "the token carries \(what), which cannot be renewed here", field: "token")
    }
}
