// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension MessageFields {
    /// The field `privilegeExpire`: seconds, or seconds by name.
    func privilegeExpire(service: ServiceName, role: Role) throws(MessageError) -> PrivilegeExpire {
        let field = "privilegeExpire"
        guard let value = self[.privilegeExpire] else { return .asToken }
        guard case .object(let members) = value else {
            let seconds = try Self.seconds(value, field: field, from: 0, or: .invalidPrivilegeExpire)
            return seconds == 0 ? .asToken : .all(seconds)
        }
        let granted = role.privileges(of: service)
        var entries: [PrivilegeTime] = []
        for member in members {
            let name = "\(field).\(Shown.name(member.name))"
            guard let privilege = Privilege(rawValue: member.name) else {
                throw MessageError(.unknownField, "\(name) is no privilege of any service", field: name)
            }
            guard granted.contains(privilege) else {
                let isOfService = Role.publisher.privileges(of: service).contains(privilege)
                throw isOfService
                    ? MessageError(
                        .invalidPrivilegeExpire, "\(name) is a privilege that a subscriber does not have", field: name)
                    : MessageError(
                        .fieldNotApplicable, "\(name) is no privilege of service \(service.rawValue)", field: name)
            }
            let seconds = try Self.seconds(member.value, field: name, from: 0, or: .invalidPrivilegeExpire)
            entries.append(PrivilegeTime(privilege, seconds))
        }
        return .each(entries)
    }
}
