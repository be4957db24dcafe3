// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

/// Whom and what a rule is for: the part `for` of a rule.
///
/// A part that is nil does not matter; an empty list fits nothing.
struct PolicySubject: Sendable, Hashable {
    /// Names of users that the broker has checked.
    var users: [TextPattern]?
    /// Names of applications.
    var apps: [TextPattern]?
    /// Whether it is for callers without a name, or nil where that is not said.
    var anonymous: Bool?
    /// App IDs of projects.
    var appIDs: [String]?
    var services: [ServiceName]?
    /// Names of channels or rooms.
    var channels: [TextPattern]?

    /// Why a rule is not for a token.
    enum Mismatch: Sendable, Hashable, CustomStringConvertible {
        case caller(wanted: String)
        case project(wanted: [String])
        case service(wanted: [ServiceName])
        case channel(String?, wanted: [TextPattern])

        var description: String {
            switch self {
            case .caller(let wanted): "it is for \(wanted)"
            case .project(let wanted):
                "it is for the projects \(wanted.isEmpty ? "none" : wanted.joined(separator: ", "))"
            case .service(let wanted):
                "it is for the services \(wanted.isEmpty ? "none" : wanted.map(\.rawValue).joined(separator: ", "))"
            case .channel(nil, let wanted): "it is for the channels \(wanted.list), and the service has none"
            case .channel(_?, let wanted): "it is for the channels \(wanted.list)"
            }
        }
    }

    /// Why it is not for a caller, whatever that asks for; nil if it may be.
    func mismatch(_ caller: CallerName) -> Mismatch? {
        guard users != nil || apps != nil || anonymous != nil else { return nil }
        let fits =
            switch caller.kind {
            case .user: users.map { $0.contains(where: caller.matches) } ?? false
            case .app: apps.map { $0.contains(where: caller.matches) } ?? false
            case .anonymous: anonymous ?? false
            }
        return fits ? nil : .caller(wanted: callers)
    }

    /// Why it is not for a token of a caller; nil if it is.
    func mismatch(_ caller: CallerName, appID: String, scope: TokenScope) -> Mismatch? {
        if let mismatch = mismatch(caller) { return mismatch }
        if let appIDs, !appIDs.contains(appID) { return .project(wanted: appIDs) }
        if let services, !services.contains(scope.service) { return .service(wanted: services) }
        guard let channels else { return nil }
        guard let place = scope.place else { return .channel(nil, wanted: channels) }
        return channels.match(place) ? nil : .channel(place, wanted: channels)
    }

    /// The callers for people.
    private var callers: String {
        var parts: [String] = []
        if let users { parts.append("the users \(users.list)") }
        if let apps { parts.append("the applications \(apps.list)") }
        if anonymous == true { parts.append("callers without a name") }
        return parts.isEmpty ? "nobody" : parts.joined(separator: " and ")
    }
}

extension TokenScope {
    /// The channel or room that the token is for; nil where its service has none.
    var place: String? { channelName ?? roomUUID }
}
