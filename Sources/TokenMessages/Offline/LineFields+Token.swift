// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken

extension LineFields {
    func appID() throws(LineError) -> AppID {
        let text = try text("appId")
        do { return try AppID(text) } catch { throw LineError(invalid: shown("appId"), "\(error)") }
    }

    func certificate() throws(LineError) -> AppCertificate {
        let text = try text("appCertificate")
        do { return try AppCertificate(text) } catch { throw LineError(invalid: shown("appCertificate"), "\(error)") }
    }

    /// Seconds by privilege.
    func privileges() throws(LineError) -> Privileges {
        var privileges = Privileges()
        for (id, field, value) in try numbered("privileges") {
            privileges[id] = try Self.integer(value, field: field)
        }
        return privileges
    }

    /// Names by action, by resource.
    func permissions() throws(LineError) -> RTMPermissions {
        var permissions = RTMPermissions()
        for (resource, field, actions) in try numbered("permissions") {
            permissions.add(resource: resource)
            for (action, field, names) in try Self.numbered(actions, field: field) {
                permissions.set(resource: resource, action: action, names: try Self.names(names, field: field))
            }
        }
        return permissions
    }

    private static func names(_ value: JSONValue, field: String) throws(LineError) -> [String] {
        guard case .array(let elements) = value else {
            throw LineError(invalid: field, "\(field) is \(Shown(value)); it must be an array of strings")
        }
        var names: [String] = []
        for element in elements {
            guard case .string(let name) = element else {
                throw LineError(invalid: field, "\(field) has \(Shown(element)); it must hold strings only")
            }
            names.append(name)
        }
        return names
    }

    /// The services of a token.
    func services() throws(LineError) -> [Service] {
        guard let value = self["services"] else { throw missing("services") }
        guard case .array(let elements) = value else {
            throw LineError(invalid: "services", "services is \(Shown(value)); it must be an array")
        }
        var services: [Service] = []
        for (index, element) in elements.enumerated() {
            guard case .object(let members) = element else {
                throw LineError(
                    invalid: "services[\(index)]", "services[\(index)] is \(Shown(element)); it must be an object")
            }
            services.append(try LineFields(members, path: "services[\(index)].").service())
        }
        return services
    }

    private func service() throws(LineError) -> Service {
        let name = try text("type")
        let type = shown("type")
        guard let kind = Service.Kind(name: name) else {
            throw LineError(
                .unsupportedService,
                "\(type) is \(Shown.quoted(name)); it must be one of \(Service.Kind.names)", field: type)
        }
        try check(Self.fields(of: kind))
        let privileges = try privileges()
        return switch kind {
        case .rtc: .rtc(channel: try text("channelName"), account: try account(), privileges: privileges)
        case .streaming: .streaming(channel: try text("channelName"), account: try account(), privileges: privileges)
        case .fcdn: .fcdn(channel: try text("channelName"), account: try account(), privileges: privileges)
        case .rtm: .rtm(userID: try text("userId"), privileges: privileges)
        case .chat: .chat(userID: try text("userId"), privileges: privileges)
        case .rtm2:
            .rtm2(userID: try text("userId"), permissions: try permissions(), privileges: privileges)
        case .apaas:
            .apaas(
                room: try text("roomUuid"), user: try text("userUuid"),
                role: try optionalInteger("role", as: Int16.self) ?? -1, privileges: privileges)
        case .fpa: .fpa(privileges: privileges)
        case .convoAI: .convoAI(privileges: privileges)
        case .stt: .stt(privileges: privileges)
        }
    }

    private static func fields(of kind: Service.Kind) -> Set<String> {
        switch kind {
        case .rtc, .streaming, .fcdn: ["type", "privileges", "channelName", "account", "uid"]
        case .rtm, .chat: ["type", "privileges", "userId"]
        case .rtm2: ["type", "privileges", "userId", "permissions"]
        case .apaas: ["type", "privileges", "roomUuid", "userUuid", "role"]
        case .fpa, .convoAI, .stt: ["type", "privileges"]
        }
    }

    private func account() throws(LineError) -> String {
        guard let user = try user() else { throw missing("account") }
        return user.packed
    }

    /// The user, by `uid` or `account`.
    func user() throws(LineError) -> RTCUser? {
        let uid = try optionalInteger("uid", as: UInt32.self)
        let account = try optionalText("account")
        if uid != nil, account != nil {
            throw LineError(
                .fieldNotApplicable, "\(shown("uid")) and \(shown("account")) are both there; only one may be",
                field: shown("account"))
        }
        return uid.map { .uid($0) } ?? account.map { .account($0) }
    }
}

extension Service.Kind {
    /// The name in messages: that of the type in lower case.
    package var name: String {
        description.lowercased()
    }

    /// The service with a name.
    package init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// The service that a token is used for, by its name or by that of a request, which may be for a part of it.
    package init?(usedFor name: String) {
        if let kind = Self(name: name) {
            self = kind
            return
        }
        switch ServiceName(rawValue: name) {
        case .rtcRTM: self = .rtc
        case .chatUser, .chatApp: self = .chat
        case .apaasRoomUser, .apaasUser, .apaasApp: self = .apaas
        default: return nil
        }
    }

    /// All names, for the end of a sentence.
    package static var names: String {
        allCases.map(\.name).joined(separator: ", ")
    }

    /// All names that ``init(usedFor:)`` takes, for the end of a sentence.
    package static var namesOfUses: String {
        let parts = ServiceName.allCases.map(\.rawValue).filter { Self(name: $0) == nil }
        return (allCases.map(\.name) + parts).joined(separator: ", ")
    }
}
