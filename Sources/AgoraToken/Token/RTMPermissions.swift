// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Which channels, groups and users an RTM2 user may read and write.
///
/// A list given twice for the same resource and action replaces the earlier one. Names keep their order.
public struct RTMPermissions: Sendable, Hashable {
    /// What a permission is about.
    public enum Resource: UInt16, Sendable, Hashable, CaseIterable {
        /// Message channels.
        case messageChannels = 0
        /// Stream channels.
        case streamChannels = 1
        /// Channel groups.
        case groupChannels = 2
        /// Groups of servers.
        case serverGroups = 3
        /// Users.
        case users = 4
    }

    /// What may be done.
    public enum Action: UInt16, Sendable, Hashable, CaseIterable {
        /// Read.
        case read = 0
        /// Write.
        case write = 1
    }

    /// The names by action, by resource, both by their numbers, so that what was read from a token is kept
    /// even where this library has no name for the number.
    package private(set) var lists: [UInt16: [UInt16: [String]]] = [:]

    /// Makes an empty set of permissions.
    public init() {}

    /// The names that `action` is allowed for on `resource`; nothing when there is no such list.
    public subscript(resource: Resource, action: Action) -> [String]? {
        get { lists[resource.rawValue]?[action.rawValue] }
        set { lists[resource.rawValue, default: [:]][action.rawValue] = newValue }
    }

    /// Sets the list of a resource and an action by their numbers, or the bare resource.
    package mutating func set(resource: UInt16, action: UInt16, names: [String]) {
        lists[resource, default: [:]][action] = names
    }

    /// Notes a resource without any list.
    package mutating func add(resource: UInt16) {
        lists[resource] = lists[resource] ?? [:]
    }
}
