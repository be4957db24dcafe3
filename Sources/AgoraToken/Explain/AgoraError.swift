// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What Agora's own client reports when it refuses a token.
public enum AgoraError: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// RTC error 109: the token has expired.
    case rtcTokenExpired
    /// RTC error 110: the token is invalid.
    case rtcInvalidToken
    /// RTM login error 5: the token is invalid.
    case rtmInvalidToken
    /// RTM login error 6: the token has expired.
    case rtmTokenExpired

    /// The number that the client reports.
    public var code: Int {
        switch self {
        case .rtcTokenExpired: 109
        case .rtcInvalidToken: 110
        case .rtmInvalidToken: 5
        case .rtmTokenExpired: 6
        }
    }

    /// The error as `RTC 110 (invalid token)`.
    public var description: String {
        switch self {
        case .rtcTokenExpired: "RTC 109 (token expired)"
        case .rtcInvalidToken: "RTC 110 (invalid token)"
        case .rtmInvalidToken: "RTM 5 (invalid token)"
        case .rtmTokenExpired: "RTM 6 (token expired)"
        }
    }

    /// The error of a service for an invalid token, where one is known.
    static func invalid(_ kind: Service.Kind) -> AgoraError? {
        switch kind {
        case .rtc: .rtcInvalidToken
        case .rtm, .rtm2: .rtmInvalidToken
        default: nil
        }
    }

    /// The error of a service for an expired token, where one is known.
    static func expired(_ kind: Service.Kind) -> AgoraError? {
        switch kind {
        case .rtc: .rtcTokenExpired
        case .rtm, .rtm2: .rtmTokenExpired
        default: nil
        }
    }
}
