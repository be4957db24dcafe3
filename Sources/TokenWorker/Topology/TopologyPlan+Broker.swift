// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AMQP

extension TopologyPlan {
    /// One thing that is missing or not as it should be.
    package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// Makes everything that AMQP can make; what is there already and fits stays as it is.
    ///
    /// - Throws: ``Fault`` for the first thing that the broker refuses, with its own words.
    package func apply(to broker: Topology) throws(Fault) {
        for exchange in exchanges {
            try Self.naming("exchange \(exchange.name)") { () throws(AMQPError) in
                try broker.declareExchange(exchange.name, type: exchange.type, arguments: exchange.arguments)
            }
        }
        for queue in queues {
            try Self.naming("queue \(queue.name)") { () throws(AMQPError) in
                try broker.declareQueue(queue.name, arguments: ["x-queue-type": .string("quorum")])
            }
            guard let exchange = queue.exchange else { continue }
            try Self.naming("binding of \(queue.name) to \(exchange)") { () throws(AMQPError) in
                try broker.bindQueue(queue.name, to: exchange, routingKey: queue.routingKey)
            }
        }
    }

    /// What is missing, or not to be seen, changing nothing.
    ///
    /// - Throws: `AMQPError` when the connection is lost on the way, which says nothing of the topology.
    package func missing(from broker: Topology) throws(AMQPError) -> [Fault] {
        var faults: [Fault] = []
        func look(for what: String, _ look: () throws(AMQPError) -> Void) throws(AMQPError) {
            do throws(AMQPError) {
                try look()
            } catch {
                guard broker.isUsable else { throw error }
                faults.append(Fault(description: "\(what): \(error)"))
            }
        }
        for exchange in exchanges {
            try look(for: "exchange \(exchange.name)") { () throws(AMQPError) in
                try broker.checkExchange(exchange.name)
            }
        }
        for queue in queues {
            try look(for: "queue \(queue.name)") { () throws(AMQPError) in try broker.checkQueue(queue.name) }
        }
        return faults
    }

    private static func naming<Result>(
        _ what: String, _ operation: () throws(AMQPError) -> Result
    ) throws(Fault) {
        do throws(AMQPError) {
            _ = try operation()
        } catch {
            throw Fault(description: "\(what): \(error)")
        }
    }
}

extension TopologyPlan.Exchange {
    fileprivate var arguments: HeaderTable {
        guard let alternate else { return [:] }
        return ["alternate-exchange": .string(alternate)]
    }
}
