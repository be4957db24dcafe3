// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TestSupport
import TokenClient
import TokenMessages

/// The Swift client as tests use it.
enum SwiftClient {
    static func configuration(_ url: String, timeout: Duration = .seconds(20)) throws -> ClientConfiguration {
        ClientConfiguration(endpoints: [try AMQPURL(parsing: url)], timeout: timeout)
    }

    /// Runs with a client that is closed afterwards, and expects that nothing of any call is left then.
    static func with(
        _ url: String, timeout: Duration = .seconds(20), _ body: (TokenClient) async throws -> Void
    ) async throws {
        let client = TokenClient(try configuration(url, timeout: timeout))
        client.start()
        defer { client.close() }
        try await body(client)
        client.close()
        try await eventually(within: .seconds(10), "the end of every call and keeper") {
            client.pendingCalls == 0 && client.activeKeepers == 0
        }
    }
}

/// Copies of the messages that callers send, as they come to the exchange of the contract.
struct Tap {
    private let driver: Driver
    private var queues: [Requester.Kind: String] = [:]

    init(url: String) async throws {
        driver = try await Driver(url: url)
        for kind in [Requester.Kind.request, .renew, .cancel] {
            let queue = try await driver.consumedQueue()
            try await driver.bind(queue, to: "agora.tokens", key: kind.rawValue)
            queues[kind] = queue
        }
    }

    /// The bodies of a kind, in order.
    func bodies(_ kind: Requester.Kind) throws -> [String] {
        try driver.messages(in: queues[kind] ?? "").map(\.text)
    }
}
