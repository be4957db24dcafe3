// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Who may use a token.
public enum UserIdentity: Sendable, Hashable {
    /// A user in a channel by number; 0 stands for any user.
    case uid(UInt32)
    /// A user in a channel by name.
    case account(String)
    /// A user of Signaling or Chat.
    case userID(String)
    /// A user of Flexible Classroom.
    case userUUID(String)
    /// No user: the token is the project's own.
    case project

    /// The text that is packed into the token; empty for any user and for none.
    public var packed: String {
        switch self {
        case .uid(0), .project: ""
        case .uid(let number): String(number)
        case .account(let name), .userID(let name), .userUUID(let name): name
        }
    }

    /// Whether anyone may use the token.
    public var isWildcard: Bool { self == .uid(0) }

    /// The user that an account in a token stands for: a number if it is written like one, since the token does not
    /// tell uid 12345 from account "12345".
    package init(packed: String) {
        if packed.isEmpty {
            self = .uid(0)
        } else if let number = UInt32(packed), number > 0, String(number) == packed {
            self = .uid(number)
        } else {
            self = .account(packed)
        }
    }
}
