// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Synchronization
import TestSupport

/// Requests that are published one after the other while something happens to the broker or the worker.
///
/// Each has a message id of its own, which is also its correlation id.
final class Load {
    private let requester: Requester
    private var refs: [String: Int] = [:]

    init(_ requester: Requester) { self.requester = requester }

    /// The number of requests so far.
    var count: Int { refs.count }

    /// Publishes so many requests without waiting.
    func publish(_ count: Int) throws {
        for _ in 0..<count {
            let id = "load-\(refs.count)"
            let body = Array(#"{"channelName":"load","uid":\#(refs.count + 1)}"#.utf8)
            refs[id] = try requester.send(body, .request, .init(correlationID: id, messageID: id)).ref
        }
    }

    /// Publishes a few at a time, with pauses, until `work` is done.
    func publish(while work: @escaping @Sendable () async throws -> Void) async throws {
        let end = End()
        try await withThrowingTaskGroup { group in
            group.addTask {
                defer { end.isThere.withLock { $0 = true } }
                try await work()
            }
            while !end.isThere.withLock({ $0 }) {
                try publish(20)
                try await Task.sleep(for: .milliseconds(50))
            }
            try await group.waitForAll()
        }
    }

    /// The requests that the broker has confirmed and nobody has answered.
    func unanswered() throws -> Set<String> {
        let answered = try requester.driver.messages(in: requester.replies).compactMap(\.properties.correlationID)
        let confirmed = try refs.filter { try requester.driver.outcome(of: $0.value) == .confirmed }.keys
        return Set(confirmed).subtracting(answered)
    }

    /// How many replies have come.
    func answers() throws -> Int {
        try requester.driver.messages(in: requester.replies).count { message in
            message.properties.correlationID.map { refs[$0] != nil } ?? false
        }
    }

    /// Waits until the broker has confirmed every request and every one has a token that is the same each time.
    func settle(within limit: Duration = .seconds(40), _ log: @autoclosure () -> String) async throws {
        try await eventually(within: limit, "a reply to each of \(count) requests\n\(log().suffix(3000))") {
            guard try refs.allSatisfy({ try requester.driver.outcome(of: $0.value) == .confirmed }) else {
                return false
            }
            return try unanswered().isEmpty
        }
        var tokens: [String: String] = [:]
        for message in try requester.driver.messages(in: requester.replies) {
            guard let id = message.properties.correlationID, refs[id] != nil else { continue }
            let token = try message.json(Contract.Reply.self).token
            guard tokens[id] ?? token == token else { throw TestFailure("two tokens for \(id)") }
            tokens[id] = token
        }
    }

    private final class End: Sendable {
        let isThere = Mutex(false)
    }
}
