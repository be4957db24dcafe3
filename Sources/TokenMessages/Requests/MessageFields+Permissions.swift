// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

extension MessageFields {
    /// The field `permissions`: lists of names by `read` and `write`, by resource.
    func permissions(of service: ServiceName) throws(MessageError) -> RTMPermissions? {
        let field = shown(.permissions)
        guard let value = self[.permissions] else {
            guard service.uses(.permissions) else { return nil }
            throw MessageError(
                .missingField, "\(field) is missing; it is an object like {\"messageChannels\":{\"read\":[\"news\"]}}",
                field: field)
        }
        var permissions = RTMPermissions()
        for (name, value) in try Self.members(value, field: field) {
            guard let resource = RTMPermissions.Resource.allCases.first(where: { $0.name == name }) else {
                throw Self.unknown(name, in: field, RTMPermissions.Resource.allCases.map(\.name))
            }
            let path = "\(field).\(name)"
            permissions.add(resource: resource.rawValue)
            for (name, value) in try Self.members(value, field: path) {
                guard let action = RTMPermissions.Action.allCases.first(where: { $0.name == name }) else {
                    throw Self.unknown(name, in: path, RTMPermissions.Action.allCases.map(\.name))
                }
                permissions[resource, action] = try Self.names(value, field: "\(path).\(name)")
            }
        }
        return permissions
    }

    /// The most names of one list: what all lists have together fits into a token.
    private static let mostNames = 50

    private static func members(
        _ value: JSONValue, field: String
    ) throws(MessageError) -> [(name: String, value: JSONValue)] {
        guard case .object(let members) = value else {
            throw MessageError(
                .invalidPermissions, "\(field) is \(Shown(value)); it must be an object", field: field)
        }
        return members.map { ($0.name, $0.value) }
    }

    private static func unknown(_ name: String, in field: String, _ known: [String]) -> MessageError {
        let path = "\(field).\(Shown.name(name))"
        return MessageError(
            .unknownField, "\(path) is none of \(known.joined(separator: ", "))", field: path)
    }

    private static func names(_ value: JSONValue, field: String) throws(MessageError) -> [String] {
        guard case .array(let values) = value else {
            throw MessageError(
                .invalidPermissions, "\(field) is \(Shown(value)); it must be an array of names", field: field)
        }
        guard values.count <= mostNames else {
            throw MessageError(
                .invalidPermissions, "\(field) has \(values.count) names; it must not have more than \(mostNames)",
                field: field)
        }
        var names: [String] = []
        for value in values {
            guard case .string(let name) = value, !name.isEmpty else {
                throw MessageError(
                    .invalidPermissions, "\(field) has \(Shown(value)); it must have names in quotes", field: field)
            }
            // An asterisk stands for all of a kind, though no name may have one.
            if name != "*" {
                try AgoraText.check(name, field: field, longest: AgoraText.longestUserID, or: .invalidPermissions)
            }
            names.append(name)
        }
        return names
    }
}
