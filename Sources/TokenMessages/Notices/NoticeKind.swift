// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a notice says has happened, or is about to.
public enum NoticeKind: String, Sendable, Hashable, CaseIterable {
    /// The lease, or one privilege, ends soon.
    case willExpire = "will_expire"
    /// The lease has ended.
    case expired
    /// The lease has a new token.
    case renewed
    /// The lease was renewed, but its caller could not be told; or it could not be renewed.
    case renewalFailed = "renewal_failed"
    /// The lease was cancelled.
    case cancelled

    /// Whether it tells of something that was done, rather than of the time.
    var isOfEvent: Bool {
        switch self {
        case .willExpire, .expired: false
        case .renewed, .renewalFailed, .cancelled: true
        }
    }

    /// The CloudEvents type.
    public var eventType: String { "io.agora-token.\(rawValue).v1" }

    /// Finds the kind of a CloudEvents type.
    public init?(eventType: String) {
        guard let kind = Self.allCases.first(where: { $0.eventType == eventType }) else { return nil }
        self = kind
    }
}
