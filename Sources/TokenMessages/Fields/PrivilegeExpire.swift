// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How long privileges last, in seconds from issue.
public enum PrivilegeExpire: Sendable, Hashable {
    /// As long as the token.
    case asToken
    /// The same for all privileges in the channel, or for the login of a service without channels.
    case all(UInt32)
    /// Some by name; the others as long as the token.
    case each([PrivilegeTime])

    /// The seconds of one privilege, 0 for as long as the token, and the field that says so.
    ///
    /// One number for a call with Signaling leaves the login as long as the token, as Agora's builder of such tokens does.
    func seconds(of privilege: Privilege, service: ServiceName) -> (seconds: UInt32, field: String) {
        switch self {
        case .asToken: return (0, "privilegeExpire")
        case .all(let seconds):
            let applies = privilege != .login || !service.isCombined
            return (applies ? seconds : 0, "privilegeExpire")
        case .each(let entries):
            let entry = entries.first { $0.privilege == privilege }
            return (entry?.seconds ?? 0, "privilegeExpire.\(privilege.rawValue)")
        }
    }
}
