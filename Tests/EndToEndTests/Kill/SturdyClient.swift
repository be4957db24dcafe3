// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport

/// A backend that lives through whatever is killed: it publishes each message until the broker has confirmed it, and
/// takes replies and notices off durable queues.
final class SturdyClient {
    /// A message that the broker has not confirmed yet.
    private struct Message {
        let body: String
        let kind: Requester.Kind
    }

    static let replies = "reply.kill"
    static let notices = "kill.notices"

    /// The messages that the broker has confirmed, by their ids.
    private(set) var confirmed: Set<String> = []
    /// How often a message was published again.
    private(set) var republished = 0

    /// The brokers, the one to try next first.
    private var urls: [String]
    private var driver: Driver?
    private var nextAttempt = ContinuousClock.now
    private var unconfirmed: [String: Message] = [:]
    private var references: [Int: String] = [:]

    /// Connects for the first time and makes the queues, quorum queues where there are several brokers.
    init(urls: [String]) async throws {
        self.urls = urls
        let driver = try await Driver(url: urls[0])
        for queue in [Self.replies, Self.notices] {
            try await driver.declare(
                queue, exclusive: false, durable: true, type: urls.count > 1 ? "quorum" : nil)
        }
        try await driver.bind(Self.notices, to: "agora.notices", key: "#")
    }

    /// How many messages have not been confirmed.
    var outstanding: Int { unconfirmed.count }

    /// Publishes a message, now or when there is a connection again.
    func send(_ id: String, _ body: String, _ kind: Requester.Kind) {
        let message = Message(body: body, kind: kind)
        unconfirmed[id] = message
        publish(id, message)
    }

    private func publish(_ id: String, _ message: Message) {
        // A message that cannot be written now is published with the next connection.
        let properties = DriverProperties(correlationID: id, replyTo: Self.replies, messageID: id)
        let body = Array(message.body.utf8)
        guard let ref = try? driver?.publish(body, to: "agora.tokens", key: message.kind.rawValue, properties) else {
            return
        }
        references[ref] = id
    }

    /// Takes what has come, and connects again where the connection is gone.
    func receive() async throws -> [DriverMessage] {
        guard let driver else {
            try await connect()
            return []
        }
        let news = try driver.takeNews()
        for (ref, outcome) in news.outcomes {
            guard outcome == .confirmed, let id = references.removeValue(forKey: ref) else { continue }
            if unconfirmed.removeValue(forKey: id) != nil { confirmed.insert(id) }
        }
        if news.closed != nil { self.driver = nil }
        return news.messages
    }

    private func connect() async throws {
        guard nextAttempt <= .now else { return }
        nextAttempt = .now + .milliseconds(500)
        urls.append(urls.removeFirst())
        guard let opened = try? await Driver(url: urls[0]) else { return }
        do {
            for queue in [Self.replies, Self.notices] { try await opened.consume(queue, safely: true) }
        } catch {
            return
        }
        driver = opened
        references = [:]
        republished += unconfirmed.count
        for (id, message) in unconfirmed { publish(id, message) }
    }
}
