// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How a message points at a lease.
public enum LeaseReference: Sendable, Hashable {
    /// By the token that it gave.
    case token(String)
    /// By its id, own or generated.
    case leaseID(String)
}
