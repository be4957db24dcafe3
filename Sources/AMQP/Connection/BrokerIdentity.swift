// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a broker says that it is.
public struct BrokerIdentity: Sendable, Hashable {
    /// The product's name, such as `RabbitMQ`; empty when the broker does not say.
    public let product: String
    /// The product's version, such as `3.10.8`; empty when the broker does not say.
    public let version: String

    /// Names a broker; outside of a connection of use in tests only.
    package init(product: String, version: String) {
        self.product = product
        self.version = version
    }
}
