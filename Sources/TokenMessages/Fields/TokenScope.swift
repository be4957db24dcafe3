// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a token is for and whose it is: service, channel and user.
///
/// A renewal changes none of it. Two tokens of one caller, project and scope belong to one lease.
public struct TokenScope: Sendable, Hashable {
    /// The service or services.
    public let service: ServiceName
    /// The channel; nil for a service without one.
    public let channelName: String?
    /// The user.
    public let user: UserIdentity

    /// Names a scope without checking it.
    ///
    /// - Parameters:
    ///   - service: the service or services.
    ///   - channelName: the channel; nil for a service without one.
    ///   - user: the user.
    public init(service: ServiceName, channelName: String?, user: UserIdentity) {
        self.service = service
        self.channelName = channelName
        self.user = user
    }

    /// Whether several holders may use one token, so that its lease cannot be found by the scope.
    public var isWildcard: Bool { user.isWildcard }

    /// The scope as the token's bytes tell it, where uid 12345 and account "12345" are the same.
    package var packed: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        func append(_ text: String) {
            let count = UInt16(truncatingIfNeeded: text.utf8.count)
            bytes.append(UInt8(truncatingIfNeeded: count))
            bytes.append(UInt8(truncatingIfNeeded: count >> 8))
            bytes.append(contentsOf: text.utf8)
        }
        if service != .rtm {
            bytes += [1, 0]
            append(channelName ?? "")
            append(user.packed)
        }
        if service != .rtc {
            bytes += [2, 0]
            append(user.packed)
        }
        return bytes
    }
}

extension TokenScope {
    /// Writes `service`, `channelName` and `uid`, `account` or `userId`.
    func write(to json: inout JSONWriter) {
        json.member("service", service.rawValue)
        if let channelName { json.member("channelName", channelName) }
        switch user {
        case .uid(let number): json.member("uid", number)
        case .account(let name): json.member("account", name)
        case .userID(let name): json.member("userId", name)
        }
    }
}
