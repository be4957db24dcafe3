// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// The exchanges, queues, bindings and policies of the contract.
package struct TopologyPlan: Sendable, Hashable {
    package struct Exchange: Sendable, Hashable {
        package let name: String
        package let type: String
        /// Where messages go that no binding takes.
        package var alternate: String?
    }

    /// A durable quorum queue.
    package struct Queue: Sendable, Hashable {
        package let name: String
        /// The exchange that feeds it; `nil` for the default one.
        package var exchange: String?
        package var routingKey = ""
    }

    /// Limits that operators may change without making a queue anew.
    package struct Policy: Sendable, Hashable {
        package let name: String
        /// The queues that it is for.
        package let queues: [String]
        package let definition: [Limit]

        /// A regular expression that matches the queues and nothing else.
        package var pattern: String {
            let words = queues.map { $0.replacing(".", with: "\\.") }
            return words.count == 1 ? "^\(words[0])$" : "^(\(words.joined(separator: "|")))$"
        }
    }

    /// One key of a policy.
    package enum Limit: Sendable, Hashable {
        case number(String, Int64)
        case text(String, String)
    }

    package let exchanges: [Exchange]
    package let queues: [Queue]
    package let policies: [Policy]

    /// The topology of these names.
    ///
    /// - Parameters:
    ///   - names: the names.
    ///   - deliveryLimit: how often the broker delivers a message again before it puts it aside itself.
    package init(_ names: Names, deliveryLimit: Int64 = MessagePlanner.standardDeliveryLimit) {
        exchanges = [
            Exchange(name: names.tokensExchange, type: "direct"),
            Exchange(name: names.unroutedNotices, type: "fanout"),
            Exchange(name: names.noticesExchange, type: "topic", alternate: names.unroutedNotices),
        ]
        queues =
            MessageKind.allCases.map { kind in
                Queue(name: names.queue(kind), exchange: names.tokensExchange, routingKey: kind.routingKey)
            } + [
                Queue(name: names.deadQueue), Queue(name: names.unroutedNotices, exchange: names.unroutedNotices),
            ]
        policies = [
            // A message that its worker does not survive this often is put aside.
            Policy(
                name: names.tokensExchange, queues: MessageKind.allCases.map(names.queue),
                definition: [
                    .number("delivery-limit", deliveryLimit), .text("dead-letter-exchange", ""),
                    .text("dead-letter-routing-key", names.deadQueue),
                ]),
            // Notices that nobody listens for: the newest 100,000 of the last day.
            Policy(
                name: names.unroutedNotices, queues: [names.unroutedNotices],
                definition: [
                    .number("max-length", 100_000), .number("message-ttl", 86_400_000), .text("overflow", "drop-head"),
                ]),
        ]
    }
}
