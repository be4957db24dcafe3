// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// One right that a token grants, with the name that messages use.
public enum Privilege: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Join the RTC channel. When it ends the user is removed from the channel.
    case joinChannel
    /// Publish audio in the channel.
    case publishAudioStream
    /// Publish video in the channel.
    case publishVideoStream
    /// Publish data in the channel.
    case publishDataStream
    /// Log in to Signaling or full-path acceleration.
    case login
    /// Publish a mixed stream.
    case publishMixStream
    /// Publish a raw stream.
    case publishRawStream
    /// Publish to Fusion CDN.
    case publish
    /// Play from Fusion CDN.
    case play
    /// Act as a user in the room of Flexible Classroom.
    case roomUser
    /// Act as the user of Chat or Flexible Classroom.
    case user
    /// Administer Chat or Flexible Classroom.
    case app

    /// Whether the lease ends with this privilege: without it the user is out.
    public var endsLease: Bool { self == .joinChannel || self == .login }

    /// The order in which tokens and messages list privileges.
    public static func < (a: Privilege, b: Privilege) -> Bool { a.order < b.order }

    private var order: Int {
        switch self {
        case .joinChannel: 0
        case .publishAudioStream: 1
        case .publishVideoStream: 2
        case .publishDataStream: 3
        case .login: 4
        case .publishMixStream: 5
        case .publishRawStream: 6
        case .publish: 7
        case .play: 8
        case .roomUser: 9
        case .user: 10
        case .app: 11
        }
    }
}

/// A privilege and a time that belongs to it: seconds of duration, or seconds since 1970, as the place says.
public struct PrivilegeTime: Sendable, Hashable {
    /// The privilege.
    public let privilege: Privilege
    /// The duration or time in seconds.
    public let seconds: UInt32

    /// Pairs a privilege with a time.
    public init(_ privilege: Privilege, _ seconds: UInt32) {
        self.privilege = privilege
        self.seconds = seconds
    }
}
