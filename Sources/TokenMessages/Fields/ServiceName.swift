// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a token is for: the services that requests may name.
public enum ServiceName: String, Sendable, Hashable, CaseIterable {
    /// Voice and video calls.
    case rtc
    /// Signaling.
    case rtm
    /// Both in one token.
    case rtcRTM = "rtc+rtm"
    /// One user of Chat.
    case chatUser = "chat-user"
    /// The administration of Chat.
    case chatApp = "chat-app"
    /// Full-path acceleration.
    case fpa
    /// One user in one room of Flexible Classroom, with Signaling and Chat.
    case apaasRoomUser = "apaas-room-user"
    /// One user of Flexible Classroom in no room in particular.
    case apaasUser = "apaas-user"
    /// The administration of Flexible Classroom.
    case apaasApp = "apaas-app"
    /// Signaling with permissions for channels, groups and users.
    case rtm2
    /// Conversational AI in a call with Signaling.
    case convoAI = "convoai"
    /// Speech to text in a call with Signaling.
    case stt
    /// Media streaming.
    case streaming
    /// Fusion CDN.
    case fcdn

    /// Whether the token names a channel, and a user by `uid` or `account`.
    public var usesChannel: Bool {
        switch self {
        case .rtc, .rtcRTM, .convoAI, .stt, .streaming, .fcdn: true
        default: false
        }
    }

    /// Whether the token is for a call and for Signaling, whose user may have another name there.
    var isCombined: Bool { self == .rtcRTM || self == .convoAI || self == .stt }

    /// Whether tokens of version 006 exist for the service.
    var hasLegacyTokens: Bool { self == .rtc || self == .rtm }

    /// Whether a request for the service may have a field.
    func uses(_ field: FieldName) -> Bool {
        switch field {
        case .channelName, .uid, .account: usesChannel
        case .role: usesChannel && self != .streaming
        case .userID: isCombined || self == .rtm || self == .rtm2 || self == .chatUser
        case .roomUUID, .apaasRole: self == .apaasRoomUser
        case .userUUID: self == .apaasRoomUser || self == .apaasUser
        case .permissions: self == .rtm2
        // In the others a privilege is the token.
        case .privilegeExpire: usesChannel || self == .rtm || self == .rtm2
        default: true
        }
    }

    /// How the users of the service are named, as the end of a sentence.
    var userIsNamedBy: String {
        switch self {
        case .rtcRTM, .convoAI, .stt: "whose user is named by uid or account, and userId for Signaling"
        case .rtc, .streaming, .fcdn: "whose user is named by uid or account"
        case .rtm, .rtm2, .chatUser: "whose user is named by userId"
        case .apaasRoomUser, .apaasUser: "whose user is named by userUuid"
        case .chatApp, .fpa, .apaasApp: "which has no user"
        }
    }
}
