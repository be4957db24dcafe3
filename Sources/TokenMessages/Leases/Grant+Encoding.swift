// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

extension Grant {
    /// The grant as a JSON text, for the row of its lease.
    package var encoded: [UInt8] {
        var json = JSONWriter(capacity: 160)
        json.beginObject()
        json.member("appId", appID)
        scope.write(to: &json)
        json.member("expire", lifetime)
        if let role {
            json.member("role", role.rawValue)
        }
        let written = role == nil ? privileges.entries : privileges.entries.filter { $0.seconds > 0 }
        if role == nil || !written.isEmpty {
            json.name("privilegeExpire")
            json.write(written)
        }
        if version != .current { json.member("version", version.rawValue) }
        if let apaasRole { json.member("apaasRole", apaasRole) }
        if let permissions {
            json.name("permissions")
            permissions.write(to: &json)
        }
        json.endObject()
        return json.bytes
    }

    /// Reads what ``encoded`` wrote; nil for anything else.
    ///
    /// - Parameter encoded: the JSON text.
    package init?(encoded: [UInt8]) {
        guard let json = try? JSONReader.read(encoded), let appID = json.member("appId")?.stringValue,
            let scope = TokenScope(json), let lifetime = json.member("expire")?.integerValue,
            (1...Int64(Self.longestLifetime)).contains(lifetime)
        else { return nil }
        let written = [PrivilegeTime](json.member("privilegeExpire")) ?? []
        var privileges = PrivilegeTimes(written)
        if let number = json.member("role")?.integerValue {
            guard let role = Role(rawValue: Int(truncatingIfNeeded: number)) else { return nil }
            privileges = PrivilegeTimes(
                role.privileges(of: scope.service).map { PrivilegeTime($0, privileges[$0] ?? 0) })
        }
        // Rows of before there was a choice have version 007, and neither role nor permissions.
        guard let version = TokenVersion(rawValue: json.member("version")?.stringValue ?? "007") else { return nil }
        let permissions = RTMPermissions(json.member("permissions"))
        guard (permissions != nil) == (scope.service == .rtm2) else { return nil }
        self.init(
            appID: appID, scope: scope, lifetime: UInt32(lifetime), privileges: privileges, version: version,
            apaasRole: json.member("apaasRole")?.integerValue.flatMap(Int16.init(exactly:)), permissions: permissions)
    }
}

extension JSONWriter {
    /// Writes privileges as an object of names and seconds.
    mutating func write(_ privileges: [PrivilegeTime]) {
        beginObject()
        for entry in privileges { member(entry.privilege.rawValue, entry.seconds) }
        endObject()
    }
}

extension [PrivilegeTime] {
    /// Reads an object of names and seconds, leaving out names that are not known; nil if it is no such object.
    init?(_ json: JSONValue?) {
        guard case .object(let members) = json else { return nil }
        self = []
        for member in members {
            guard let privilege = Privilege(rawValue: member.name) else { continue }
            guard let seconds = member.value.integerValue.flatMap(UInt32.init(exactly:)) else { return nil }
            append(PrivilegeTime(privilege, seconds))
        }
    }
}
