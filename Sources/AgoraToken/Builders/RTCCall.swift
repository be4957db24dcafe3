// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Who joins which channel of a call, in which role, and for how long they may do what.
public struct RTCCall: Sendable, Hashable {
    /// The channel name.
    public var channel: String
    /// A uid or an account, as the client will join.
    public var user: RTCUser
    /// Publisher or subscriber.
    public var role: RTCRole
    /// Seconds by identifiers of ``RTCPrivilege``.
    ///
    /// A subscriber gets only the right to join.
    public var privileges: Privileges

    /// Describes a call.
    ///
    /// - Parameters:
    ///   - channel: The channel name.
    ///   - user: A uid or an account, as the client will join.
    ///   - role: Publisher or subscriber.
    ///   - privileges: Seconds by identifiers of ``RTCPrivilege``, of which a subscriber gets only the right to join.
    public init(channel: String, user: RTCUser, role: RTCRole = .publisher, privileges: Privileges) {
        self.channel = channel
        self.user = user
        self.role = role
        self.privileges = privileges
    }

    /// The privileges of the role.
    var granted: Privileges {
        guard role == .subscriber else { return privileges }
        var join = Privileges()
        join[RTCPrivilege.joinChannel] = privileges[RTCPrivilege.joinChannel]
        return join
    }
}
