// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a broker says that it is.
public struct BrokerIdentity: Sendable, Hashable {
    /// The product's name, such as `RabbitMQ`; empty when the broker does not say.
    public let product: String
    /// The product's version, such as `3.10.8`; empty when the broker does not say.
    public let version: String
    /// When the certificate ends that the broker has shown, in seconds since 1970; nil without TLS.
    public let certificateEnd: Int64?
    /// When the certificate ends that the broker was shown, in seconds since 1970; nil where none was.
    public let clientCertificateEnd: Int64?

    /// Names a broker; outside of a connection of use in tests only.
    package init(
        product: String, version: String, certificateEnd: Int64? = nil, clientCertificateEnd: Int64? = nil
    ) {
        self.product = product
        self.version = version
        self.certificateEnd = certificateEnd
        self.clientCertificateEnd = clientCertificateEnd
    }
}
