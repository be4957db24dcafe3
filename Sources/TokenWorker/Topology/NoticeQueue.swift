// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AMQP
package import TokenMessages

/// A queue that hears the notices of one caller.
package struct NoticeQueue: Sendable, Hashable {
    /// Why there is no such queue.
    package struct Refusal: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    package let name: String
    private let exchange: String
    /// What it is bound with.
    package let routingKey: String

    /// Checks what is wanted.
    ///
    /// - Parameters:
    ///   - name: the queue.
    ///   - caller: `u-…`, `a-…` or `anonymous`, as routing keys have it; `*` for everybody's.
    ///   - names: the names of the contract.
    /// - Throws: ``Refusal`` for a queue of ours or the broker's, or for what is no caller.
    package init(name: String, caller: String, names: Names) throws(Refusal) {
        guard (1...255).contains(name.utf8.count), !name.hasPrefix("amq."), !names.ownQueues.contains(name) else {
            throw Refusal(
                description: "\"\(name)\" cannot be it: it is empty, too long, the worker's or the broker's own")
        }
        guard caller == "*" || caller == Caller.anonymous.text || Self.isNamed(caller) else {
            throw Refusal(
                description: "\"\(caller)\" is no caller: u-<user_id>, a-<app_id> or anonymous,"
                    + " percent-encoded but for letters, digits, _ and -")
        }
        self.name = name
        exchange = names.noticesExchange
        routingKey = "*.*.\(caller)"
    }

    /// Makes the queue, durable and on a quorum, and binds it; what is there already stays.
    ///
    /// - Throws: ``Refusal`` with the broker's own words.
    package func make(on broker: Topology) throws(Refusal) {
        do throws(AMQPError) {
            try broker.checkExchange(exchange)
            try broker.declareQueue(name, arguments: ["x-queue-type": .string("quorum")])
            try broker.bindQueue(name, to: exchange, routingKey: routingKey)
        } catch {
            throw Refusal(description: "\(name): \(error)")
        }
    }

    private static func isNamed(_ caller: String) -> Bool {
        guard caller.hasPrefix("u-") || caller.hasPrefix("a-"), caller.utf8.count > 2 else { return false }
        return caller.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "%"),
                UInt8(ascii: "~"):
                true
            default: false
            }
        }
    }
}
