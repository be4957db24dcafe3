// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The roles of the legacy RTC token builder.
public enum LegacyRole: UInt32, Sendable, Hashable, CaseIterable {
    /// May join and publish.
    case attendee = 0
    /// May join and publish.
    case publisher = 1
    /// May join.
    case subscriber = 2
    /// May join and publish.
    case admin = 101

    /// The privileges of the role, each until `moment`, in seconds since 1970, or 0 for as long as the token.
    public func privileges(until moment: UInt32) -> Privileges {
        (self == .subscriber ? RTCRole.subscriber : RTCRole.publisher).privileges(moment)
    }
}

/// The privilege identifiers of legacy tokens beyond those of ``RTCPrivilege``.
public enum LegacyPrivilege {
    /// May administer the channel.
    ///
    /// No official builder grants it.
    public static let administrateChannel: UInt16 = 101
    /// May log in to real-time messaging.
    public static let rtmLogin: UInt16 = 1_000
}
