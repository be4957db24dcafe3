// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP

/// What is to be said of the broker by what it says of itself.
enum BrokerCheck {
    /// Says whether direct reply-to is safe with this broker.
    static func diagnoses(
        _ broker: BrokerIdentity, at url: AMQPURL, directReplyTo: WorkerConfiguration.DirectReplyTo
    ) -> [Diagnosis] {
        let name = [broker.product, broker.version].filter { !$0.isEmpty }.joined(separator: " ")
        var found = [Diagnosis(.ok, .broker, "\(name.isEmpty ? "a broker" : name) answers at \(url)")]
        if broker.product != "RabbitMQ" {
            found.append(
                Diagnosis(
                    .warn, .broker, "it does not say that it is RabbitMQ",
                    advice: "agora-token needs quorum queues and confirms as RabbitMQ has them"))
        }
        let isSafe = WorkerConfiguration.DirectReplyTo.auto.isAllowed(by: broker)
        if !isSafe, directReplyTo == .allow {
            found.append(
                Diagnosis(
                    .warn, .broker,
                    "direct reply-to is allowed, and a malformed one crashes this version's connections",
                    advice: "upgrade to 3.10.12 or later, or set directReplyTo to auto"))
        } else if !isSafe {
            found.append(
                Diagnosis(
                    .ok, .broker, "direct reply-to is refused to callers, as it is safe only from 3.10.12 on"))
        }
        return found
    }

    /// What is to be said of a permission that was asked for.
    static func permission(_ isGranted: Bool, _ what: String, _ command: String) -> Diagnosis {
        isGranted
            ? Diagnosis(.ok, .broker, "the user may \(what)")
            : Diagnosis(.fail, .broker, "the user may not \(what)", advice: command)
    }
}
