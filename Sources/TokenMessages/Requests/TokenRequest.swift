// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

public import AgoraToken

/// The body of a `token.request`.
public struct TokenRequest: Sendable, Hashable {
    /// Service, channel and user.
    public var scope: TokenScope
    /// The App ID of one of the configured projects; nil for the default one.
    public var appID: String?
    /// What the user may do in the channel; of no effect for a service without channels.
    public var role: Role
    /// The lifetime in seconds, 1 to 86400; nil for the configured default.
    public var expire: UInt32?
    /// How long privileges last.
    public var privilegeExpire: PrivilegeExpire
    /// Which notices to send.
    public var notify: NotifyOption
    /// The caller's own id for the lease; nil for a generated one.
    public var leaseID: String?
    /// The format of the token; 006 for `rtc` and `rtm` only.
    public var version = TokenVersion.current
    /// The number of the user's role in a room of Flexible Classroom.
    public var apaasRole: Int16?
    /// What the user of `rtm2` may read and write.
    public var permissions: RTMPermissions?
    /// How the worker renews the lease by itself; nil if it does not.
    public var autoRenew: AutoRenew?
    /// Whether everything is to be done but the signature and the lease.
    public var isDryRun = false

    /// Makes a request without checking it.
    ///
    /// - Parameters:
    ///   - scope: service, channel and user.
    ///   - appID: the App ID of one of the configured projects; nil for the default one.
    ///   - role: what the user may do in the channel.
    ///   - expire: the lifetime in seconds, 1 to 86400; nil for the configured default.
    ///   - privilegeExpire: how long privileges last.
    ///   - notify: which notices to send.
    ///   - leaseID: the caller's own id for the lease; nil for a generated one.
    public init(
        scope: TokenScope, appID: String? = nil, role: Role = .publisher, expire: UInt32? = nil,
        privilegeExpire: PrivilegeExpire = .asToken, notify: NotifyOption = .standard, leaseID: String? = nil
    ) {
        self.scope = scope
        self.appID = appID
        self.role = role
        self.expire = expire
        self.privilegeExpire = privilegeExpire
        self.notify = notify
        self.leaseID = leaseID
    }

    /// A request for a token to join an RTC channel.
    ///
    /// - Parameters:
    ///   - channelName: the channel.
    ///   - user: the user, by `uid` or `account`.
    public init(channelName: String, user: UserIdentity) {
        self.init(scope: TokenScope(service: .rtc, channelName: channelName, user: user))
    }
}
