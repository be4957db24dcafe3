// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What one part of a token is good for: an Agora service, whom it names there, and the privileges granted.
///
/// Strings are packed as the UTF-8 bytes given. An empty `account` is Agora's wildcard, any user.
public enum Service: Sendable, Hashable {
    /// Voice and video calls (service type 1).
    case rtc(channel: String, account: String, privileges: Privileges)
    /// Real-time messaging, also called Signaling (type 2).
    case rtm(userID: String, privileges: Privileges)
    /// Media streaming (type 3).
    case streaming(channel: String, account: String, privileges: Privileges)
    /// Full-path acceleration (type 4).
    case fpa(privileges: Privileges)
    /// Chat (type 5). An empty `userID` goes with the app privilege.
    case chat(userID: String, privileges: Privileges)
    /// Fusion CDN (type 6).
    case fcdn(channel: String, account: String, privileges: Privileges)
    /// aPaaS, also called Education or Flexible Classroom (type 7). A `role` of -1 means none.
    case apaas(room: String, user: String, role: Int16, privileges: Privileges)
    /// Real-time messaging with permissions (type 8).
    case rtm2(userID: String, permissions: RTMPermissions, privileges: Privileges)
    /// Conversational AI (type 9).
    case convoAI(privileges: Privileges)
    /// Speech to text (type 10).
    case stt(privileges: Privileges)

    /// The privileges granted.
    public var privileges: Privileges {
        switch self {
        case .rtc(_, _, let privileges), .rtm(_, let privileges), .streaming(_, _, let privileges),
            .fpa(let privileges), .chat(_, let privileges), .fcdn(_, _, let privileges),
            .apaas(_, _, _, let privileges), .rtm2(_, _, let privileges), .convoAI(let privileges),
            .stt(let privileges):
            privileges
        }
    }
}
