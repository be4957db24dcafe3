// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension TokenRequest {
    /// Reads and checks a body.
    ///
    /// - Parameter body: a JSON object in UTF-8.
    /// - Returns: the request; what depends on the configuration is not checked yet.
    /// - Throws: ``MessageError`` for the first fault.
    public static func decode(_ body: [UInt8]) throws(MessageError) -> TokenRequest {
        try TokenRequest(members: MessageFields.object(body))
    }

    /// The fields that some service uses, those of services that are not served yet among them.
    private static let known = FieldNames([
        .channelName, .uid, .account, .role, .expire, .privilegeExpire, .notify, .leaseID, .service, .appID, .userID,
        .version, .roomUUID, .userUUID, .apaasRole, .permissions,
    ])
}

extension TokenRequest: MessageItem {
    package static let listField = "requests"
    package static let listFault = ErrorCode.invalidRequests

    package init(members: [JSONMember]) throws(MessageError) {
        let fields = try MessageFields(members, known: Self.known)
        let service = try fields.service()
        try fields.refuseUnused(by: service)
        try fields.version()
        let notify = try fields.notify()
        let role = try fields.role()
        self.init(
            scope: try fields.scope(of: service), appID: try fields.appID(), role: role,
            expire: try fields.seconds(.expire, or: .invalidExpire),
            privilegeExpire: try fields.privilegeExpire(service: service, role: role), notify: notify,
            leaseID: try fields.ownLeaseID(notify: notify))
    }
}

extension MessageFields {
    fileprivate func service() throws(MessageError) -> ServiceName {
        guard let text = try text(.service, or: .invalidService) else { return .rtc }
        if let service = ServiceName(rawValue: text) { return service }
        let reason = ServiceName.unserved.contains(text) ? "is not served yet" : "is no service"
        throw MessageError(
            .unsupportedService, "service \(Shown.quoted(text)) \(reason); it must be rtc, rtm or rtc+rtm",
            field: "service")
    }

    fileprivate func refuseUnused(by service: ServiceName) throws(MessageError) {
        for name in names {
            let isUsed =
                switch name {
                case .channelName, .uid, .account, .role: service.usesChannel
                case .userID: !service.usesChannel
                case .roomUUID, .userUUID, .apaasRole, .permissions: false
                default: true
                }
            guard !isUsed else { continue }
            let user = service.usesChannel ? "uid or account" : "userId"
            throw MessageError(
                .fieldNotApplicable,
                "\(shown(name)) is not used by service \(service.rawValue), whose user is named by \(user)",
                field: shown(name))
        }
    }

    fileprivate func version() throws(MessageError) {
        switch self[.version] {
        case nil, .string("007"): return
        case .string("006"):
            throw MessageError(
                .unknownField, "version \"006\" is not served yet; leave the field out", field: "version")
        case let value?:
            throw MessageError(.invalidVersion, "version is \(Shown(value)); it must be \"007\"", field: "version")
        }
    }

    fileprivate func role() throws(MessageError) -> Role {
        switch self[.role] {
        case nil, .integer(1), .string("publisher"): return .publisher
        case .integer(2), .string("subscriber"): return .subscriber
        case .string(let text) where text == "1" || text == "2":
            throw MessageError(
                .invalidRole, "role is \"\(text)\" in quotes; write the number without quotes", field: "role")
        case let value?:
            throw MessageError(
                .invalidRole, "role is \(Shown(value)); it must be 1 or \"publisher\", 2 or \"subscriber\"",
                field: "role")
        }
    }

    fileprivate func appID() throws(MessageError) -> String? {
        guard let text = try text(.appID, or: .invalidAppID) else { return nil }
        guard text.utf8.count == 32, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw MessageError(
                .invalidAppID, "appId has \(text.count) characters; it must have 32, all hexadecimal digits",
                field: "appId")
        }
        return text
    }

    fileprivate func ownLeaseID(notify: NotifyOption) throws(MessageError) -> String? {
        let text = try leaseID(own: true)
        guard text == nil || notify != .none else {
            throw MessageError(
                .fieldNotApplicable, "leaseId is there with notify false, which makes no lease", field: "leaseId")
        }
        return text
    }
}
