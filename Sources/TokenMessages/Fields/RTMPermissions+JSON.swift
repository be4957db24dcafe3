// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

extension RTMPermissions.Resource {
    /// The name that messages use.
    var name: String {
        switch self {
        case .messageChannels: "messageChannels"
        case .streamChannels: "streamChannels"
        case .groupChannels: "groupChannels"
        case .serverGroups: "serverGroups"
        case .users: "users"
        }
    }
}

extension RTMPermissions.Action {
    /// The name that messages use.
    var name: String { self == .read ? "read" : "write" }
}

extension RTMPermissions {
    /// Writes lists of names by action, by resource.
    func write(to json: inout JSONWriter) {
        json.beginObject()
        for resource in Resource.allCases where lists[resource.rawValue] != nil {
            json.name(resource.name)
            json.beginObject()
            for action in Action.allCases {
                if let names = self[resource, action] { json.member(action.name, names) }
            }
            json.endObject()
        }
        json.endObject()
    }

    /// Reads what ``write(to:)`` wrote; nil for anything else.
    init?(_ json: JSONValue?) {
        guard case .object(let resources) = json else { return nil }
        self.init()
        for member in resources {
            guard let resource = Resource.allCases.first(where: { $0.name == member.name }),
                case .object(let actions) = member.value
            else { return nil }
            add(resource: resource.rawValue)
            for member in actions {
                guard let action = Action.allCases.first(where: { $0.name == member.name }),
                    case .array(let values) = member.value
                else { return nil }
                let names = values.compactMap(\.stringValue)
                guard names.count == values.count else { return nil }
                self[resource, action] = names
            }
        }
    }
}
