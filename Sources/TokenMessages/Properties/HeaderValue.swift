// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A header of a message as far as the contract reads headers.
public enum HeaderValue: Sendable, Hashable {
    /// A whole number of any AMQP type.
    case integer(Int64)
    /// A text or bytes.
    case text(String)
    /// A value of a type that no header of the contract has.
    case other
}
