// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a token is for: the services that requests may name.
public enum ServiceName: String, Sendable, Hashable, CaseIterable {
    /// Voice and video calls.
    case rtc
    /// Signaling.
    case rtm
    /// Both in one token, for one user.
    case rtcRTM = "rtc+rtm"

    /// Whether the token names a channel, and a user by `uid` or `account`.
    public var usesChannel: Bool { self != .rtm }

    /// Services of the contract that are not served yet; naming one is answered by `unsupported_service`.
    static let unserved: Set<String> = [
        "chat-user", "chat-app", "fpa", "apaas-room-user", "apaas-user", "apaas-app", "rtm2", "convoai", "stt",
        "streaming", "fcdn",
    ]
}
