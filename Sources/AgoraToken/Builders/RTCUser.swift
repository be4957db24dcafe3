// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Whom an RTC token is for: an integer uid or a string account.
///
/// Both pack to text, and uid 12345 and account "12345" give the same token; but a client must join with the kind
/// and value that its token was made for.
public enum RTCUser: Sendable, Hashable {
    /// An integer user ID. Zero is Agora's wildcard: any user may use the token.
    case uid(UInt32)
    /// A string user account. The account "0" is a user of that name, not the wildcard; the empty one is.
    case account(String)

    /// The text that a token holds: decimal digits for a uid, nothing for uid 0, an account as it is.
    public var packed: String {
        switch self {
        case .uid(0): ""
        case .uid(let uid): String(uid)
        case .account(let account): account
        }
    }

    /// Whether any user may use a token made for this one.
    public var isWildcard: Bool {
        packed.isEmpty
    }
}

extension RTCUser: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// A uid.
    public init(integerLiteral value: UInt32) {
        self = .uid(value)
    }

    /// An account.
    public init(stringLiteral value: String) {
        self = .account(value)
    }
}

extension RTCUser: CustomStringConvertible {
    /// The user as a reader would write it: `uid 1234` or `account "alice"`.
    public var description: String {
        switch self {
        case .uid(let uid): "uid \(uid)"
        case .account(let account): "account \"\(account)\""
        }
    }
}
