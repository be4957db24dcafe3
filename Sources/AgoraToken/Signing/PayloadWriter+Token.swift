// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension PayloadWriter {
    /// Packs what is signed.
    mutating func write(_ token: AccessToken) throws(TokenError) {
        write(token.appID.characters)
        write(token.issuedAt)
        write(token.lifetime)
        write(token.salt)
        write(try Self.count(token.services.count, field: "list of services"))
        if token.services.count == 1 {
            try write(token.services[0])
            return
        }
        // The sort is stable: services of one type keep their order.
        for service in token.services.sorted(by: { $0.type < $1.type }) {
            try write(service)
        }
    }

    private mutating func write(_ service: Service) throws(TokenError) {
        write(service.type)
        switch service {
        case .rtc(let channel, let account, let privileges), .streaming(let channel, let account, let privileges),
            .fcdn(let channel, let account, let privileges):
            try write(privileges)
            try write(channel, field: "channel name")
            try write(account, field: "account")
        case .rtm(let userID, let privileges), .chat(let userID, let privileges):
            try write(privileges)
            try write(userID, field: "user ID")
        case .apaas(let room, let user, let role, let privileges):
            try write(privileges)
            try write(room, field: "room UUID")
            try write(user, field: "user UUID")
            write(UInt16(bitPattern: role))
        case .rtm2(let userID, let permissions, let privileges):
            try write(privileges)
            try write(userID, field: "user ID")
            try write(permissions)
        case .fpa(let privileges), .convoAI(let privileges), .stt(let privileges):
            try write(privileges)
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
}
