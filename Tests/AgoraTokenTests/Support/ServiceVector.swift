// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

/// One service as the vector files write it.
struct ServiceVector: Decodable {
    let type: String
    let privileges: [String: UInt32]
    let channelName: String?
    let channel: String?
    let account: String?
    let userId: String?
    let roomUuid: String?
    let userUuid: String?
    let role: Int16?
    let permissions: [String: [String: [String]]]?

    /// The service that is described.
    var service: Service {
        get throws {
            let privileges = try Privileges(vector: privileges)
            return switch type {
            case "rtc": .rtc(channel: try name, account: try #require(account), privileges: privileges)
            case "rtm": .rtm(userID: try #require(userId), privileges: privileges)
            case "streaming": .streaming(channel: try name, account: try #require(account), privileges: privileges)
            case "fpa": .fpa(privileges: privileges)
            case "chat": .chat(userID: try #require(userId), privileges: privileges)
            case "fcdn": .fcdn(channel: try name, account: try #require(account), privileges: privileges)
            case "apaas":
                .apaas(
                    room: try #require(roomUuid), user: try #require(userUuid), role: try #require(role),
                    privileges: privileges)
            case "rtm2":
                .rtm2(
                    userID: try #require(userId), permissions: try RTMPermissions(vector: try #require(permissions)),
                    privileges: privileges)
            case "convoai": .convoAI(privileges: privileges)
            case "stt": .stt(privileges: privileges)
            default: throw UnknownType(type: type)
            }
        }
    }

    private var name: String {
        get throws { try #require(channelName ?? channel) }
    }

    struct UnknownType: Error {
        let type: String
    }
}

extension Privileges {
    init(vector: [String: UInt32]) throws {
        self.init()
        for (id, seconds) in vector {
            self[try #require(UInt16(id))] = seconds
        }
    }
}

extension RTMPermissions {
    init(vector: [String: [String: [String]]]) throws {
        self.init()
        for (resource, actions) in vector {
            add(resource: try #require(UInt16(resource)))
            for (action, names) in actions {
                set(resource: try #require(UInt16(resource)), action: try #require(UInt16(action)), names: names)
            }
        }
    }
}
