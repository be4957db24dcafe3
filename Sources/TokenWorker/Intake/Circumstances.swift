// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP

/// When a batch is answered, and under which conditions.
struct Circumstances: Sendable {
    /// The machine's clock in milliseconds since 1970.
    let now: Int64
    /// Whether the batch was tried before, and parts of it may be stored.
    var isRetry = false
    /// Whether replies may go to a direct reply-to.
    var allowsDirectReply = false
}

extension WorkerConfiguration.DirectReplyTo {
    /// Whether replies may go to a direct reply-to of this broker.
    ///
    /// RabbitMQ before 3.10.12 closes the connection of whoever publishes to a malformed one.
    func isAllowed(by broker: BrokerIdentity?) -> Bool {
        switch self {
        case .allow: true
        case .refuse: false
        case .auto: broker.map(Self.survives) ?? false
        }
    }

    private static func survives(_ broker: BrokerIdentity) -> Bool {
        let parts = broker.version.split(separator: ".").map { part in Int(part.prefix { $0.isNumber }) ?? 0 }
        guard broker.product == "RabbitMQ", parts.count >= 3 else { return false }
        return (parts[0], parts[1], parts[2]) >= (3, 10, 12)
    }
}
