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

    /// What is missing, changing nothing.
    ///
    /// - Throws: ``Fault`` when the connection is lost on the way.
    package func missing(from broker: Topology) throws(Fault) -> [Fault] {
        var faults: [Fault] = []
        for exchange in exchanges {
            do throws(AMQPError) {
                try broker.checkExchange(exchange.name)
            } catch {
                faults.append(Fault(description: "exchange \(exchange.name): \(error)"))
            }
        }
        for queue in queues {
            do throws(AMQPError) {
                try broker.checkQueue(queue.name)
            } catch {
                faults.append(Fault(description: "queue \(queue.name): \(error)"))
            }
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
