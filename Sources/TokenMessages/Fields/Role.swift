// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a user may do in a channel.
public enum Role: Int, Sendable, Hashable, CaseIterable {
    /// Join and publish.
    case publisher = 1
    /// Join only.
    case subscriber = 2

    /// The name that the field `role` takes beside the number.
    public var name: String { self == .publisher ? "publisher" : "subscriber" }

    /// The privileges that a token of this role carries for a service, in the order of their ids.
    public func privileges(of service: ServiceName) -> [Privilege] {
        let inChannel: [Privilege] =
            self == .publisher
            ? [.joinChannel, .publishAudioStream, .publishVideoStream, .publishDataStream] : [.joinChannel]
        return switch service {
        case .rtc: inChannel
        case .rtm: [.login]
        case .rtcRTM: inChannel + [.login]
        }
    }
}
