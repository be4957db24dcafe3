// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

extension LogBatch {
    /// Adds the line of one reply.
    mutating func add(_ reply: Reply, _ message: IncomingMessage) {
        switch reply {
        case .issued(let token): add(token, reply.type, message)
        case .renewed(let token): add(token, reply.type, message)
        case .cancelled(let cancelled):
            add(.info, reply.type) { fields in
                fields.add(message)
                fields.add(cancelled.scope)
                fields.add("leaseId", cancelled.leaseID)
                fields.add("generation", cancelled.generation)
            }
        case .explained(let explained):
            add(.info, reply.type) { fields in
                fields.add(message)
                fields.add("accepted", explained.isAccepted ? "yes" : "no")
            }
        // Its items have lines of their own.
        case .batch: break
        case .error(let error):
            add(.warning, reply.type) { fields in
                fields.add("kind", message.properties.kind.rawValue)
                fields.add(message)
                fields.add(error)
            }
        }
    }

    private mutating func add(_ token: TokenReply, _ type: String, _ message: IncomingMessage) {
        add(.info, type) { fields in
            fields.add(message)
            fields.add(token.scope)
            fields.add("leaseId", token.leaseID)
            fields.add("generation", token.generation)
            fields.add("expiresAt", token.expiresAt)
        }
    }

    /// Adds the line of a message that nobody can be answered for.
    mutating func addDead(_ message: IncomingMessage, _ fault: MessageError) {
        add(.warning, "dead_letter") { fields in
            fields.add("kind", message.properties.kind.rawValue)
            fields.add(message)
            fields.add(fault)
        }
    }
}

extension LogBatch.Fields {
    fileprivate mutating func add(_ message: IncomingMessage) {
        add("caller", message.caller.text)
        add("correlationId", message.properties.correlationID.map { String(decoding: $0, as: UTF8.self) })
        add("messageId", message.properties.messageID.map { String(decoding: $0, as: UTF8.self) })
    }

    fileprivate mutating func add(_ scope: TokenScope) {
        add("service", scope.service.rawValue)
        add("channelName", scope.channelName)
        add("roomUuid", scope.roomUUID)
        switch scope.user {
        case .uid(let uid): add("uid", uid)
        case .account(let account): add("account", account)
        case .userID(let userID): add("userId", userID)
        case .userUUID(let userUUID): add("userUuid", userUUID)
        case .project: break
        }
    }

    fileprivate mutating func add(_ error: MessageError) {
        add("code", error.code.rawValue)
        add("field", error.field)
        add("message", error.message)
    }
}
