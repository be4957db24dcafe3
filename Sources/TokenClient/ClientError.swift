// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

public import TokenMessages

/// Why a call got no token.
public enum ClientError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A worker refused, with the contract's own reason.
    case refused(MessageError)
    /// The broker is away, or went before the reply came; whether a worker has answered is not known.
    case unavailable(String)
    /// No worker answered in time.
    case timedOut
    /// The task was cancelled.
    case cancelled
    /// The reply is not of the contract.
    case unreadable(String)

    /// One sentence.
    public var description: String {
        switch self {
        case .refused(let error): error.description
        case .unavailable(let reason): reason
        case .timedOut: "no worker answered in time"
        case .cancelled: "the call was cancelled"
        case .unreadable(let reason): "the reply cannot be read: \(reason)"
        }
    }
}
