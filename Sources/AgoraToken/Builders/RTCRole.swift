// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a user may do in an RTC channel.
///
/// Whether Agora keeps subscribers from publishing depends on co-host authentication being enabled for the project.
public enum RTCRole: UInt32, Sendable, Hashable, CaseIterable {
    /// May join, and publish audio, video and data.
    case publisher = 1
    /// May join.
    case subscriber = 2

    /// The privileges of the role, `seconds` each, 0 for as long as the token.
    public func privileges(_ seconds: UInt32) -> Privileges {
        switch self {
        case .publisher:
            [
                RTCPrivilege.joinChannel: seconds, RTCPrivilege.publishAudioStream: seconds,
                RTCPrivilege.publishVideoStream: seconds, RTCPrivilege.publishDataStream: seconds,
            ]
        case .subscriber:
            [RTCPrivilege.joinChannel: seconds]
        }
    }
}
