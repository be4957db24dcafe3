// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation

/// Three brokers in one cluster.
package struct PrivateCluster: Sendable {
    package let nodes: [PrivateBroker]

    /// Starts them, and waits until each knows the others.
    package init() async throws {
        let first = try await PrivateBroker()
        nodes = [first, try await PrivateBroker(joining: first), try await PrivateBroker(joining: first)]
        try await eventually(within: .seconds(60), "three members") {
            let members = try await first.address.management.call("GET", ["nodes"])
            return String(decoding: members, as: UTF8.self).components(separatedBy: #""running":true"#).count == 4
        }
    }

    /// The AMQP URL of each.
    package var urls: [String] { nodes.map(\.address.url) }

    /// The node that leads a quorum queue, waiting for the election.
    package func leader(of queue: String) async throws -> PrivateBroker {
        struct Queue: Decodable {
            let leader: String?
        }
        return try await firstAnswer(within: .seconds(30), "the leader of \(queue)") {
            let answer = try await nodes[0].address.management.call("GET", ["queues", "/", queue])
            let name = try JSONDecoder().decode(Queue.self, from: Data(answer)).leader
            return nodes.first { "\($0.name)@localhost" == name }
        }
    }

    /// Kills them and deletes their data.
    package func remove() async throws {
        for node in nodes.reversed() { try await node.remove() }
    }
}
