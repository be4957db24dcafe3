// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

extension TopologyPlan {
    /// A queue bound to an exchange.
    struct Binding: Hashable, Comparable {
        let exchange: String
        let queue: String
        let routingKey: String

        static func < (one: Binding, other: Binding) -> Bool {
            (one.exchange, one.queue, one.routingKey) < (other.exchange, other.queue, other.routingKey)
        }
    }

    /// The bindings, but for those of the default exchange, which are there by themselves.
    var bindings: [Binding] {
        queues.compactMap { queue in
            queue.exchange.map { Binding(exchange: $0, queue: queue.name, routingKey: queue.routingKey) }
        }
    }

    /// Everything that is otherwise than here, changing nothing.
    ///
    /// A binding too many counts: whoever made it gets a copy of every request.
    ///
    /// - Throws: ``ManagementClient/Failure`` when the API does not answer, ``Fault`` when it refuses.
    package func differences(with client: ManagementClient, virtualHost: String) throws -> [Fault] {
        let host = Self.percentEncoded(virtualHost)
        func list(_ kind: String) throws -> [JSONValue] {
            // Without statistics the API answers from what there is now, not from what it remembers.
            let response = try client.send(
                "GET", "/api/\(kind)/\(host)?disable_stats=true&enable_queue_totals=true")
            guard response.status == 200, case .array(let values) = try? JSONReader.read(response.body) else {
                throw Fault(description: "the management API answers \(response.status) for \(kind)")
            }
            return values
        }
        return try differences(exchanges: list("exchanges"), queues: list("queues"), bindings: list("bindings"))
            + wrongPolicies(with: client, virtualHost: virtualHost)
    }

    /// The same for what the API has answered.
    func differences(exchanges: [JSONValue], queues: [JSONValue], bindings: [JSONValue]) -> [Fault] {
        var faults: [Fault] = []
        for exchange in self.exchanges {
            let what = "exchange \(exchange.name)"
            guard let found = exchanges.first(where: { $0.member("name")?.stringValue == exchange.name }) else {
                faults.append(Fault(description: "\(what) is missing"))
                continue
            }
            faults += Self.compare(
                what, found,
                [
                    ("type", .string(exchange.type)), ("durable", .bool(true)), ("auto_delete", .bool(false)),
                    ("internal", .bool(false)), ("arguments", .object(exchange.members)),
                ])
        }
        for queue in self.queues {
            let what = "queue \(queue.name)"
            guard let found = queues.first(where: { $0.member("name")?.stringValue == queue.name }) else {
                faults.append(Fault(description: "\(what) is missing"))
                continue
            }
            let type = JSONMember(name: "x-queue-type", value: .string("quorum"))
            faults += Self.compare(what, found, [("durable", .bool(true)), ("arguments", .object([type]))])
            // Of several policies that fit, the broker follows one.
            let expected = policies.first { $0.queues.contains(queue.name) }?.name
            let policy = found.member("policy")?.stringValue ?? ""
            if policy != expected ?? "" {
                faults.append(
                    Fault(
                        description: "\(what): follows \(Self.named(policy)) instead of \(Self.named(expected ?? ""))"))
            }
        }
        return faults + strange(bindings)
    }

    private func strange(_ bindings: [JSONValue]) -> [Fault] {
        let expected = Set(self.bindings)
        let ours = Set(queues.map(\.name))
        let fed = Set(expected.map(\.exchange))
        let found = Set(
            bindings.compactMap { binding -> Binding? in
                guard let exchange = binding.member("source")?.stringValue, !exchange.isEmpty,
                    let queue = binding.member("destination")?.stringValue
                else { return nil }
                return Binding(
                    exchange: exchange, queue: queue, routingKey: binding.member("routing_key")?.stringValue ?? "")
            }.filter { fed.contains($0.exchange) || ours.contains($0.queue) })
        let missing = expected.subtracting(found).sorted().map { "\(Self.text($0)) is missing" }
        let extra = found.subtracting(expected).sorted().map { "\(Self.text($0)) does not belong there" }
        return (missing + extra).map { Fault(description: $0) }
    }

    private static func compare(_ what: String, _ found: JSONValue, _ expected: [(String, JSONValue)]) -> [Fault] {
        expected.compactMap { name, value in
            guard let actual = found.member(name), actual != value else { return nil }
            return Fault(description: "\(what): \(name) is \(text(actual)) instead of \(text(value))")
        }
    }

    private static func text(_ binding: Binding) -> String {
        "binding of \(binding.queue) to \(binding.exchange) with \"\(binding.routingKey)\""
    }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: JSONLayout.text(value).dropLast(), as: UTF8.self)
    }

    private static func named(_ policy: String) -> String { policy.isEmpty ? "no policy" : "policy \(policy)" }
}
