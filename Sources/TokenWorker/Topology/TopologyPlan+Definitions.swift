// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

extension TopologyPlan {
    /// The topology as RabbitMQ's definitions, for a broker to import.
    package func definitions(virtualHost: String) -> [UInt8] {
        let host = JSONMember(name: "vhost", value: .string(virtualHost))
        let durable = JSONMember(name: "durable", value: .bool(true))
        let stays = JSONMember(name: "auto_delete", value: .bool(false))
        let document: [JSONMember] = [
            list("vhosts", [[JSONMember(name: "name", value: .string(virtualHost))]]),
            list(
                "exchanges",
                exchanges.map { exchange in
                    [
                        JSONMember(name: "name", value: .string(exchange.name)), host,
                        JSONMember(name: "type", value: .string(exchange.type)), durable, stays,
                        JSONMember(name: "internal", value: .bool(false)),
                        JSONMember(name: "arguments", value: .object(exchange.members)),
                    ]
                }),
            list(
                "queues",
                queues.map { queue in
                    let type = JSONMember(name: "x-queue-type", value: .string("quorum"))
                    return [
                        JSONMember(name: "name", value: .string(queue.name)), host, durable, stays,
                        JSONMember(name: "arguments", value: .object([type])),
                    ]
                }),
            list(
                "bindings",
                bindings.map { binding in
                    [
                        JSONMember(name: "source", value: .string(binding.exchange)), host,
                        JSONMember(name: "destination", value: .string(binding.queue)),
                        JSONMember(name: "destination_type", value: .string("queue")),
                        JSONMember(name: "routing_key", value: .string(binding.routingKey)),
                        JSONMember(name: "arguments", value: .object([])),
                    ]
                }),
            list(
                "policies",
                policies.map { policy in
                    [host, JSONMember(name: "name", value: .string(policy.name))] + policy.members
                }),
        ]
        return JSONLayout.text(.object(document))
    }

    private func list(_ name: String, _ entries: [[JSONMember]]) -> JSONMember {
        JSONMember(name: name, value: .array(entries.map { .object($0) }))
    }
}

extension TopologyPlan.Exchange {
    /// Its arguments.
    var members: [JSONMember] {
        alternate.map { [JSONMember(name: "alternate-exchange", value: .string($0))] } ?? []
    }
}
