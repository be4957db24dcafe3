// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

extension MessageFields {
    /// The field `service`, after which every other field of a request is judged.
    func service() throws(MessageError) -> ServiceName {
        let text = try text(.service, or: .invalidService)
        guard let service = text.map(ServiceName.init(rawValue:)) ?? .rtc else {
            throw MessageError(
                .unsupportedService,
                "service \(Shown.quoted(text ?? "")) is no service; it must be one of \(Self.services)",
                field: "service")
        }
        for name in names where !service.uses(name) {
            throw MessageError(
                .fieldNotApplicable,
                "\(shown(name)) is not used by service \(service.rawValue), \(service.userIsNamedBy)",
                field: shown(name))
        }
        return service
    }

    private static let services = ServiceName.allCases.map(\.rawValue).joined(separator: ", ")

    /// The field `version`.
    func version(of service: ServiceName) throws(MessageError) -> TokenVersion {
        guard let value = self[.version] else { return .current }
        guard let version = value.stringValue.flatMap(TokenVersion.init(rawValue:)) else {
            throw MessageError(
                .invalidVersion, "version is \(Shown(value)); it must be \"007\" or \"006\"", field: "version")
        }
        guard version == .current || service.hasLegacyTokens else {
            throw MessageError(
                .invalidVersion, "version is \"006\"; service \(service.rawValue) has tokens of version 007 only",
                field: "version")
        }
        return version
    }

    /// The field `role`.
    func role() throws(MessageError) -> Role {
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

    /// The field `appId`.
    func appID() throws(MessageError) -> String? {
        guard let text = try text(.appID, or: .invalidAppID) else { return nil }
        guard text.utf8.count == 32, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw MessageError(
                .invalidAppID, "appId has \(text.count) characters; it must have 32, all hexadecimal digits",
                field: "appId")
        }
        return text
    }

    /// The field `apaasRole`, which a room asks for.
    func apaasRole(of service: ServiceName) throws(MessageError) -> Int16? {
        let range = Int64(Int16.min)...Int64(Int16.max)
        if let role = try integer(.apaasRole, in: range, or: .invalidAPaaSRole) { return Int16(role) }
        guard service.uses(.apaasRole) else { return nil }
        throw MessageError(
            .missingField, "apaasRole is missing; it is the number of the user's role in the room", field: "apaasRole")
    }

    /// The field `dryRun`.
    func dryRun() throws(MessageError) -> Bool {
        switch self[.dryRun] {
        case nil: return false
        case .bool(let value): return value
        case let value?:
            throw MessageError(
                .invalidDryRun, "dryRun is \(Shown(value)); it must be true or false", field: "dryRun")
        }
    }

    /// The field `leaseId` of a request, which names a new lease.
    func ownLeaseID(notify: NotifyOption) throws(MessageError) -> String? {
        let text = try leaseID(own: true)
        guard text == nil || notify != .none else {
            throw MessageError(
                .fieldNotApplicable, "leaseId is there with notify false, which makes no lease", field: "leaseId")
        }
        return text
    }
}
