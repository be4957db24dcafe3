// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
internal import TokenMessages

/// What a rule allows: the part `allow` of a rule.
///
/// A limit that is nil is none; an empty list allows nothing.
struct PolicyAllowance: Sendable, Hashable {
    /// App IDs of projects.
    var appIDs: [String]?
    var services: [ServiceName]?
    /// Names of channels or rooms, which every one of a token has to be among.
    var channels: [TextPattern]?
    /// What users may do in a channel; a token with a privilege to publish is a publisher's.
    var roles: [Role]?
    /// How users of a channel are named.
    var identity: Identity?
    /// Seconds of lifetime, 1 to 86400.
    var longestLifetime: UInt32?
    /// Whether a token may be for any user: uid 0.
    var wildcardUser = false
    /// Whether a token may be for any channel: `*` among the names of `rtm2`, or a channel without a name.
    var wildcardChannel = false
    /// Whether the leases of other callers may be renewed and cancelled.
    var anyLeases = false
    /// How often each caller may ask.
    var rate: Rate?

    /// How users of a channel are named.
    enum Identity: String, Sendable, Hashable, CaseIterable {
        case uid
        case account
    }

    /// What a rule does not allow.
    enum Excess: Sendable, Hashable, CustomStringConvertible {
        /// Whatever it is for is forbidden.
        case everything
        case project
        case service(ServiceName)
        case channel(String)
        /// Channels are limited, and the token is for none.
        case noChannel(ServiceName)
        case role(Role)
        case identity(wanted: Identity)
        case lifetime(UInt32, longest: UInt32)
        case wildcardUser
        case wildcardChannel

        var description: String {
            switch self {
            case .everything: "anything"
            case .project: "this project"
            case .service(let service): "the service \(service.rawValue)"
            case .channel(let channel): "the channel \(Shown.quoted(channel))"
            case .noChannel(let service): "the service \(service.rawValue), which has no channel,"
            case .role(let role): "the role \(role.name)"
            case .identity(.uid): "a user by account, but by uid only,"
            case .identity(.account): "a user by uid, but by account only,"
            case .lifetime(let seconds, let longest): "\(seconds) s of lifetime, but at most \(longest) s,"
            case .wildcardUser: "a token for any user (uid 0)"
            case .wildcardChannel: "a token for any channel"
            }
        }
    }

    /// What is too much about a use of a token; nil where it is allowed.
    ///
    /// Cancelling and explaining sign nothing, so that only what the token is for counts.
    func excess(_ grant: Grant, for use: PolicyUse) -> Excess? {
        let scope = grant.scope
        if let appIDs, !appIDs.contains(grant.appID) { return .project }
        if let services, !services.contains(scope.service) { return .service(scope.service) }
        if let channels, let excess = excess(of: grant, beyond: channels) { return excess }
        guard use == .sign else { return nil }
        if let roles, scope.service.usesChannel, !roles.contains(grant.neededRole) { return .role(grant.neededRole) }
        if let identity, scope.service.usesChannel {
            switch (identity, scope.user) {
            case (.uid, .account), (.account, .uid): return .identity(wanted: identity)
            default: break
            }
        }
        if !wildcardUser, scope.isWildcard { return .wildcardUser }
        if !wildcardChannel, grant.isForAnyChannel { return .wildcardChannel }
        if let longestLifetime, grant.lifetime > longestLifetime {
            return .lifetime(grant.lifetime, longest: longestLifetime)
        }
        return nil
    }

    private func excess(of grant: Grant, beyond channels: [TextPattern]) -> Excess? {
        let places = grant.places
        if places.isEmpty { return .noChannel(grant.scope.service) }
        return places.first { !channels.match($0) }.map { .channel($0) }
    }
}

/// What is to be done with a token or its lease.
enum PolicyUse: Sendable, Hashable {
    case sign
    case cancel
    case explain
}

extension Grant {
    /// Every channel or room that the token names.
    var places: [String] {
        let channels: [RTMPermissions.Resource] = [.messageChannels, .streamChannels, .groupChannels]
        let named = permissions.map { permissions in
            channels.flatMap { resource in
                RTMPermissions.Action.allCases.flatMap { permissions[resource, $0] ?? [] }
            }
        }
        return [scope.place].compactMap(\.self) + (named ?? [])
    }

    /// Whether the token is good for channels that it does not name.
    var isForAnyChannel: Bool { places.contains { $0.isEmpty || $0.utf8.contains(UInt8(ascii: "*")) } }

    /// The role without which nobody may have these privileges.
    var neededRole: Role { privileges.entries.contains { $0.privilege.publishes } ? .publisher : .subscriber }
}

extension Privilege {
    fileprivate var publishes: Bool {
        switch self {
        case .publishAudioStream, .publishVideoStream, .publishDataStream, .publishMixStream, .publishRawStream,
            .publish:
            true
        case .joinChannel, .login, .play, .roomUser, .user, .app: false
        }
    }
}
