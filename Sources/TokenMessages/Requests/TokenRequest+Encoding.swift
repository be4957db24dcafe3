// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

extension TokenRequest {
    /// The body that carries this request; fields with their default value are left out.
    public func encode() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        if let appID { json.member("appId", appID) }
        scope.write(to: &json)
        if version != .current { json.member("version", version.rawValue) }
        if scope.service.uses(.role) { json.member("role", role.rawValue) }
        if let expire { json.member("expire", expire) }
        switch privilegeExpire {
        case .asToken: break
        case .all(let seconds): json.member("privilegeExpire", seconds)
        case .each(let entries):
            json.name("privilegeExpire")
            json.write(entries)
        }
        notify.write(to: &json)
        if let leaseID { json.member("leaseId", leaseID) }
        if let apaasRole { json.member("apaasRole", apaasRole) }
        if let permissions {
            json.name("permissions")
            permissions.write(to: &json)
        }
        if let autoRenew {
            json.name("autoRenew")
            autoRenew.write(to: &json)
        }
        if isDryRun { json.member("dryRun", true) }
        json.endObject()
    }
}

extension NotifyOption {
    /// Writes the field `notify` unless it has its default value.
    func write(to json: inout JSONWriter) {
        switch self {
        case .standard: break
        case .none: json.member("notify", false)
        case .before(let leads):
            json.name("notify")
            json.beginObject()
            json.member("before", leads)
            json.endObject()
        }
    }
}
