// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How a connection is encrypted, whom it trusts, and who it says that it is.
///
/// The version is TLS 1.2 at least. The files are read anew for each connection, so they may be replaced while a program runs.
public struct TLSSettings: Sendable, Hashable {
    /// A PEM file with the authorities to trust (`cacertfile`); nil trusts those of the system.
    public var authorityFile: String?

    /// A PEM file with this client's certificate and the chain to its authority (`certfile`).
    public var certificateFile: String?

    /// A PEM file with the certificate's private key, without a password (`keyfile`); nil looks for it in
    /// ``certificateFile``.
    public var keyFile: String?

    /// Whether the broker must prove who it is (`verify`); false leaves the connection open to anyone in between.
    public var verifiesBroker = true

    /// The name or address that the broker's certificate must be for (`server_name_indication`); nil means the host
    /// of the URL.
    public var serverName: String?

    /// Creates settings that trust the system's authorities and show no certificate.
    public init() {}
}
