// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The paths that a gateway knows, and one for all others.
///
/// Of others neither log nor metrics say anything, since people put tokens into paths.
enum GatewayPath: Sendable, CaseIterable {
    case token
    case live
    case ready
    case other

    init(_ path: String) { self = Self.allCases.first { $0 != .other && $0.name == path } ?? .other }

    /// The path, or `other`; where tokens are, is so in Agora's documentation too.
    var name: String {
        switch self {
        case .token: "/fetch_rtc_token"
        case .live: "/livez"
        case .ready: "/readyz"
        case .other: "other"
        }
    }
}
