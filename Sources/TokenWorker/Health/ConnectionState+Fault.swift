// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AMQP

extension ConnectionState {
    /// Why the connection cannot do its work, as the end of a sentence; `nil` where it can.
    package var fault: String? {
        switch self {
        case .ready: nil
        case .idle: "is not started"
        case .connecting(let attempt): "is connecting, attempt \(attempt)"
        case .incomplete(let errors): errors.map(\.description).joined(separator: "; ")
        case .suspended: "is not consuming"
        case .blocked(let reason): "is blocked by the broker: \(reason)"
        case .unreachable(let error, retryAfter: _): error.description
        case .closed: "is closed"
        }
    }
}
