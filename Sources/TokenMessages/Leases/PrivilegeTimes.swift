// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The privileges of a grant with the seconds that each lasts, in the order of their ids.
package struct PrivilegeTimes: Sendable, Hashable {
    /// The pairs; 0 stands for as long as the token.
    package let entries: [PrivilegeTime]

    /// Sorts pairs of which each privilege is in at most one.
    package init(_ entries: [PrivilegeTime]) {
        let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.privilege < $1.privilege }
        self.entries = isSorted ? entries : entries.sorted { $0.privilege < $1.privilege }
    }

    /// The privileges of a role, all as long as the token.
    package init(role: Role, service: ServiceName) {
        entries = role.privileges(of: service).map { PrivilegeTime($0, 0) }
    }

    /// The seconds of a privilege, nil if it is not granted.
    package subscript(privilege: Privilege) -> UInt32? {
        for entry in entries where entry.privilege == privilege { return entry.seconds }
        return nil
    }
}
