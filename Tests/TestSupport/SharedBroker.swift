// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The broker that all tests share: the one of `deploy/test`, or one of this process.
package enum SharedBroker {
    private static let started = Task { () -> (BrokerAddress, PrivateBroker?) in
        if let url = TestEnvironment.variable("AGORA_TEST_AMQP_URL"),
            let base = TestEnvironment.variable("AGORA_TEST_MANAGEMENT_URL")
        {
            return (BrokerAddress(url: url, management: ManagementAPI(base: base)), nil)
        }
        let broker = try await PrivateBroker()
        return (broker.address, broker)
    }

    /// Its address; the first caller without `deploy/test` waits until one has started.
    package static var address: BrokerAddress {
        get async throws { try await started.value.0 }
    }
}
