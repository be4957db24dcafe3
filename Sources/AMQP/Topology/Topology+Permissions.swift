// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Topology {
    /// Whether the user may consume a queue; no message is taken.
    ///
    /// - Throws: ``AMQPError/Code/notFound`` when there is none, or why the broker cannot be asked.
    package func mayConsume(_ queue: String) throws(AMQPError) -> Bool {
        try isPermitted { session throws(AMQPError) in try session.consumeInvalid(queue, channel: 1) }
    }

    /// Whether the user may publish to an exchange, `""` for the default one; no message is routed.
    ///
    /// - Throws: ``AMQPError/Code/notFound`` when there is none, or why the broker cannot be asked.
    package func mayPublish(to exchange: String, routingKey: String) throws(AMQPError) -> Bool {
        try isPermitted { session throws(AMQPError) in
            try session.publishInvalid(to: exchange, routingKey: routingKey, channel: 1)
        }
    }

    /// Whether the user may make a queue that is its connection's alone; it goes with this object.
    ///
    /// - Throws: ``AMQPError/Code/resourceLocked`` when another connection has it, or why the broker cannot be asked.
    package func mayOwn(_ queue: String) throws(AMQPError) -> Bool {
        try isPermitted { session throws(AMQPError) in
            _ = try session.declareQueue(queue, options: .exclusive, channel: 1)
        }
    }

    private func isPermitted(_ attempt: (BrokerSession) throws(AMQPError) -> Void) throws(AMQPError) -> Bool {
        do throws(AMQPError) {
            try perform(attempt)
            return true
        } catch {
            switch error.code {
            case .preconditionFailed: return true
            case .accessRefused: return false
            default: throw error
            }
        }
    }
}
