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

    /// The privileges that a token of this role carries for a service, in the order in which messages list them.
    public func privileges(of service: ServiceName) -> [Privilege] {
        let inChannel: [Privilege] =
            self == .publisher
            ? [.joinChannel, .publishAudioStream, .publishVideoStream, .publishDataStream] : [.joinChannel]
        return switch service {
        case .rtc: inChannel
        case .rtm, .rtm2, .fpa: [.login]
        case .rtcRTM, .convoAI, .stt: inChannel + [.login]
        case .streaming: [.publishMixStream, .publishRawStream]
        case .fcdn: self == .publisher ? [.publish, .play] : [.play]
        case .chatUser: [.user]
        case .chatApp, .apaasApp: [.app]
        case .apaasRoomUser: [.login, .roomUser, .user]
        case .apaasUser: [.user]
        }
    }
}
