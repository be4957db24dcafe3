// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How a client proves who it is (`auth_mechanism`).
public enum AuthenticationMechanism: String, Sendable, Hashable {
    /// By user name and password.
    case plain = "PLAIN"
    /// By the certificate of the TLS connection; RabbitMQ takes the user's name from it.
    case external = "EXTERNAL"
}
