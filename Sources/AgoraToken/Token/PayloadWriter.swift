// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Packs a token: little-endian integers, and strings and maps with a 16-bit count before them.
struct PayloadWriter {
    var bytes: [UInt8] = []

    mutating func write(_ value: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value &>> 8))
    }

    mutating func write(_ value: UInt32) {
        write(UInt16(truncatingIfNeeded: value))
        write(UInt16(truncatingIfNeeded: value &>> 16))
    }

    mutating func write(_ text: String, field: String) throws(TokenError) {
        write(try Self.count(text.utf8.count, field: field))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func write(_ privileges: Privileges) throws(TokenError) {
        write(try Self.count(privileges.count, field: "privilege map"))
        privileges.forEach { id, seconds in
            write(id)
            write(seconds)
        }
    }

    mutating func write(_ token: AccessToken) throws(TokenError) {
        try write(token.appID.description, field: "appId")
        write(token.issuedAt)
        write(token.lifetime)
        write(token.salt)
        write(try Self.count(token.services.count, field: "list of services"))
        for service in token.services.sorted(by: { $0.type < $1.type }) {
            write(service.type)
            try write(service.privileges)
            try writeFields(of: service)
        }
    }

    private mutating func writeFields(of service: Service) throws(TokenError) {
        switch service {
        case .rtc(let channel, let account, _), .streaming(let channel, let account, _),
            .fcdn(let channel, let account, _):
            try write(channel, field: "channel name")
            try write(account, field: "account")
        case .rtm(let userID, _), .chat(let userID, _):
            try write(userID, field: "user ID")
        case .apaas(let room, let user, let role, _):
            try write(room, field: "room UUID")
            try write(user, field: "user UUID")
            write(UInt16(bitPattern: role))
        case .rtm2(let userID, let permissions, _):
            try write(userID, field: "user ID")
            try write(permissions)
        case .fpa, .convoAI, .stt:
            break
        }
    }

    private mutating func write(_ permissions: RTMPermissions) throws(TokenError) {
        write(try Self.count(permissions.lists.count, field: "list of resources"))
        for (resource, actions) in permissions.lists.sorted(by: { $0.key < $1.key }) {
            write(resource)
            write(try Self.count(actions.count, field: "list of actions"))
            for (action, names) in actions.sorted(by: { $0.key < $1.key }) {
                write(action)
                write(try Self.count(names.count, field: "list of names"))
                for name in names {
                    try write(name, field: "permission name")
                }
            }
        }
    }

    private static func count(_ count: Int, field: String) throws(TokenError) -> UInt16 {
        guard let count16 = UInt16(exactly: count) else { throw .tooLong(field: field, count: count) }
        return count16
    }
}
