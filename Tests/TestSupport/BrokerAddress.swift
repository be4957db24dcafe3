// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Where a broker is reached.
package struct BrokerAddress: Sendable {
    /// Its AMQP URL, for `guest` and the default virtual host.
    package let url: String
    package let management: ManagementAPI

    package init(url: String, management: ManagementAPI) {
        self.url = url
        self.management = management
    }
}
