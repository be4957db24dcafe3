// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AgoraToken

extension TokenReport {
    /// Writes the members `accepted`, `refusals`, `remarks` and, where the token could be read, `content`.
    package func write(to json: inout JSONWriter) {
        json.member("accepted", isAccepted)
        Self.write(refusals, as: "refusals", to: &json)
        Self.write(remarks, as: "remarks", to: &json)
        guard let content else { return }
        json.name("content")
        json.beginObject()
        switch content {
        case .current(let token): Self.write(token, to: &json)
        case .legacy(let token): Self.write(token, to: &json)
        }
        json.endObject()
    }

    private static func write(_ findings: [Finding], as name: String, to json: inout JSONWriter) {
        json.name(name)
        json.beginArray()
        for finding in findings {
            json.beginObject()
            json.member("code", finding.code.rawValue)
            json.member("message", finding.message)
            if !finding.advice.isEmpty { json.member("advice", finding.advice) }
            if let error = finding.agoraError {
                json.name("agoraError")
                json.beginObject()
                json.member("code", error.code)
                json.member("text", error.description)
                json.endObject()
            }
            json.endObject()
        }
        json.endArray()
    }

    private static func write(_ token: ParsedToken, to json: inout JSONWriter) {
        json.member("version", TokenVersion.current.rawValue)
        json.member("appId", token.appID.description)
        json.member("issuedAt", token.issuedAt)
        json.member("expire", token.lifetime)
        json.member("expiresAt", token.expiresAt)
        json.member("salt", token.salt)
        json.name("services")
        json.beginArray()
        for service in token.services {
            json.beginObject()
            json.member("type", service.kind.name)
            switch service {
            case .rtc(let channel, let account, _), .streaming(let channel, let account, _),
                .fcdn(let channel, let account, _):
                json.member("channelName", channel)
                json.member("account", account)
            case .rtm(let userID, _), .rtm2(let userID, _, _), .chat(let userID, _):
                json.member("userId", userID)
            case .apaas(let room, let user, let role, _):
                json.member("roomUuid", room)
                json.member("userUuid", user)
                json.member("role", role)
            case .fpa, .convoAI, .stt: break
            }
            write(service.privileges, to: &json)
            if case .rtm2(_, let permissions, _) = service { write(permissions, to: &json) }
            json.endObject()
        }
        json.endArray()
        if let type = token.unknownServiceType { json.member("unknownServiceType", type) }
    }

    private static func write(_ token: ParsedLegacyToken, to json: inout JSONWriter) {
        json.member("version", TokenVersion.legacy.rawValue)
        json.member("appId", token.appID.description)
        json.member("expiresAt", token.expiresAt)
        json.member("salt", token.salt)
        write(token.privileges, to: &json)
    }

    private static func write(_ privileges: Privileges, to json: inout JSONWriter) {
        json.name("privileges")
        json.beginObject()
        for entry in privileges.entries { json.member("\(entry.id)", entry.seconds) }
        json.endObject()
    }

    private static func write(_ permissions: RTMPermissions, to json: inout JSONWriter) {
        json.name("permissions")
        json.beginObject()
        for (resource, actions) in permissions.lists.sorted(by: { $0.key < $1.key }) {
            json.name("\(resource)")
            json.beginObject()
            for (action, names) in actions.sorted(by: { $0.key < $1.key }) { json.member("\(action)", names) }
            json.endObject()
        }
        json.endObject()
    }
}
