// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport

/// A caller of the worker: its own connection, a reply queue, and the notices of a caller.
struct Requester {
    /// The queue of the contract that a message goes to.
    enum Kind: String {
        case request, renew, cancel
    }

    let driver: Driver
    let replies: String
    let notices: String

    /// Connects; `noticesOf` is the caller whose notices it hears, `*` for all.
    init(url: String, noticesOf caller: String = "*") async throws {
        driver = try await Driver(url: url)
        replies = try await driver.consumedQueue()
        notices = try await driver.declare()
        try await driver.bind(notices, to: "agora.notices", key: "*.*.\(caller)")
        try await driver.consume(notices)
    }

    /// Publishes a message with a reply queue and a correlation id of its own, and returns that id.
    func send(_ body: String, _ kind: Kind = .request, _ properties: DriverProperties = .init()) throws -> String {
        try send(Array(body.utf8), kind, properties).correlation
    }

    func send(
        _ body: [UInt8], _ kind: Kind, _ properties: DriverProperties = .init()
    ) throws -> (ref: Int, correlation: String) {
        var properties = properties
        let correlation = properties.correlationID ?? UUID().uuidString
        properties.correlationID = correlation
        properties.replyTo = properties.replyTo ?? replies
        let ref = try driver.publish(body, to: "agora.tokens", key: kind.rawValue, properties)
        return (ref, correlation)
    }

    /// Publishes a message and waits for the reply to it.
    func ask(
        _ body: String, _ kind: Kind = .request, _ properties: DriverProperties = .init(),
        within limit: Duration = .seconds(20)
    ) async throws -> DriverMessage {
        try await reply(to: send(body, kind, properties), within: limit)
    }

    /// Waits for the first reply with a correlation id.
    func reply(to correlation: String, within limit: Duration = .seconds(20)) async throws -> DriverMessage {
        try await firstAnswer(within: limit, "the reply to \(correlation)") {
            try driver.messages(in: replies).first { $0.properties.correlationID == correlation }
        }
    }

    /// Asks and expects a token.
    func token(
        _ body: String, _ kind: Kind = .request, _ properties: DriverProperties = .init(),
        within limit: Duration = .seconds(20)
    ) async throws -> Contract.Reply {
        let message = try await ask(body, kind, properties, within: limit)
        do { return try message.json() } catch { throw TestFailure("not a token: \(message.text) (\(error))") }
    }

    /// Asks and expects an error.
    func error(
        _ body: String, _ kind: Kind = .request, _ properties: DriverProperties = .init()
    ) async throws -> Contract.ErrorReply.Body {
        let message = try await ask(body, kind, properties)
        do { return try message.json(Contract.ErrorReply.self).error } catch {
            throw TestFailure("not an error: \(message.text) (\(error))")
        }
    }

    /// The notices that have come so far, of one lease when it is given.
    func notices(of lease: String? = nil) throws -> [Contract.Notice] {
        try driver.messages(in: notices).map { try $0.json(Contract.Notice.self) }
            .filter { lease == nil || $0.data.leaseId == lease }
    }

    /// Waits for a notice that fits.
    func notice(
        within limit: Duration, _ what: String, _ fits: (Contract.Notice) -> Bool
    ) async throws -> Contract.Notice {
        try await firstAnswer(within: limit, what) { try notices().first(where: fits) }
    }
}
