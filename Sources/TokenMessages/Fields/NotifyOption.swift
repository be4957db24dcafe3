// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Which notices a request asks for.
public enum NotifyOption: Sendable, Hashable {
    /// The leads that the worker is configured with.
    case standard
    /// No lease, hence no notices and no renewal.
    case none
    /// A `will_expire` notice this many seconds before expiry each, and `expired`; empty for `expired` only.
    case before([UInt32])
}
