// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AgoraToken

extension Privilege {
    /// The number of the privilege in a kind of service, nil if that has no such privilege.
    func id(in kind: Service.Kind) -> UInt16? {
        switch (kind, self) {
        case (.rtc, .joinChannel): RTCPrivilege.joinChannel
        case (.rtc, .publishAudioStream): RTCPrivilege.publishAudioStream
        case (.rtc, .publishVideoStream): RTCPrivilege.publishVideoStream
        case (.rtc, .publishDataStream): RTCPrivilege.publishDataStream
        case (.rtm, .login), (.rtm2, .login): RTMPrivilege.login
        case (.streaming, .publishMixStream): StreamingPrivilege.publishMixStream
        case (.streaming, .publishRawStream): StreamingPrivilege.publishRawStream
        case (.fpa, .login): FPAPrivilege.login
        case (.chat, .user): ChatPrivilege.user
        case (.chat, .app): ChatPrivilege.app
        case (.fcdn, .publish): FCDNPrivilege.publish
        case (.fcdn, .play): FCDNPrivilege.play
        case (.apaas, .roomUser): APaaSPrivilege.roomUser
        case (.apaas, .user): APaaSPrivilege.user
        case (.apaas, .app): APaaSPrivilege.app
        default: nil
        }
    }

    /// The privilege of this number in a kind of service, nil for a number that is not known.
    package init?(id: UInt16, in kind: Service.Kind) {
        guard let privilege = Self.allCases.first(where: { $0.id(in: kind) == id }) else { return nil }
        self = privilege
    }
}
