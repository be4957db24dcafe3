// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Who may use a token.
public enum UserIdentity: Sendable, Hashable {
    /// An RTC user by number; 0 stands for any user.
    case uid(UInt32)
    /// An RTC user by name.
    case account(String)
    /// A user of a service that has names only.
    case userID(String)

    /// The text that is packed into the token; empty for any user.
    public var packed: String {
        switch self {
        case .uid(0): ""
        case .uid(let number): String(number)
        case .account(let name), .userID(let name): name
        }
    }

    /// Whether anyone may use the token.
    public var isWildcard: Bool { self == .uid(0) }
}
