// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Synchronization
import TestSupport

/// An AMQP client that shares no code with the worker: pika, through `Tests/Interop/python/amqp_driver.py`.
final class Driver: Sendable {
    /// How a publication ended.
    enum Outcome: String, Sendable {
        case confirmed, nacked, returned
    }

    private struct State {
        var nextRef = 0
        var read = 0
        var ready = false
        var done: [Int: DriverEvent] = [:]
        var outcomes: [Int: Outcome] = [:]
        var messages: [String: [DriverMessage]] = [:]
        var closed: String?
    }

    private let child: ChildProcess
    private let state = Mutex(State())

    /// Connects, and opens a channel with publisher confirms.
    init(url: String) async throws {
        child = try ChildProcess(
            "/usr/bin/python3", [TestEnvironment.root + "/Tests/Interop/python/amqp_driver.py", url], writable: true)
        let opened = try await firstAnswer(within: .seconds(30), "a connection of the driver") {
            try look { $0.ready || $0.closed != nil ? $0.closed ?? "" : nil }
        }
        if !opened.isEmpty { throw TestFailure("the driver's connection: \(opened)") }
    }

    /// Declares a queue, of a type when it is given, and returns its name, which the broker chooses when it is given
    /// as empty.
    @discardableResult
    func declare(
        _ queue: String = "", exclusive: Bool = true, durable: Bool = false, type: String? = nil
    ) async throws -> String {
        let event = try await call {
            DriverCommand(
                op: "declare", ref: $0, queue: queue, exclusive: exclusive, durable: durable,
                arguments: type.map { ["x-queue-type": $0] })
        }
        return event.queue ?? queue
    }

    /// How many messages wait in a queue, and how many consumers it has.
    func look(at queue: String) async throws -> (messages: Int, consumers: Int) {
        let event = try await call { DriverCommand(op: "declare", ref: $0, queue: queue, passive: true) }
        return (event.messages ?? 0, event.consumers ?? 0)
    }

    func bind(_ queue: String, to exchange: String, key: String) async throws {
        _ = try await call { DriverCommand(op: "bind", ref: $0, queue: queue, exchange: exchange, key: key) }
    }

    /// Starts taking messages off a queue; ``messages(in:)`` has them.
    ///
    /// `safely` takes them off only when they have been received: should the broker be killed, they may come twice.
    func consume(_ queue: String, safely: Bool = false) async throws {
        _ = try await call { DriverCommand(op: "consume", ref: $0, queue: queue, safely: safely) }
    }

    /// Declares an exclusive queue with a name of the broker's and consumes it.
    func consumedQueue() async throws -> String {
        let queue = try await declare()
        try await consume(queue)
        return queue
    }

    /// Publishes a persistent message without waiting; ``outcome(of:)`` tells what became of it.
    func publish(
        _ body: [UInt8], to exchange: String, key: String, _ properties: DriverProperties = .init()
    ) throws -> Int {
        var properties = properties
        properties.deliveryMode = 2
        let hexadecimal = body.map { String(format: "%02x", $0) }.joined()
        return try send {
            DriverCommand(
                op: "publish", ref: $0, exchange: exchange, key: key, body: hexadecimal, properties: properties)
        }
    }

    /// What the broker has said of a publication; nil when nothing yet.
    ///
    /// "Returned" stays when a confirm follows.
    func outcome(of ref: Int) throws -> Outcome? { try take { $0.outcomes[ref] } }

    /// The messages that have arrived from a queue so far.
    func messages(in queue: String) throws -> [DriverMessage] { try take { $0.messages[queue] ?? [] } }

    /// What has come since this was last asked, and why the connection is closed, if it is.
    ///
    /// Nothing of it is told again.
    func takeNews() throws -> (outcomes: [Int: Outcome], messages: [DriverMessage], closed: String?) {
        try look { state in
            defer { (state.outcomes, state.messages) = ([:], [:]) }
            return (state.outcomes, state.messages.values.flatMap(\.self), state.closed)
        }
    }

    private func call(_ command: (Int) -> DriverCommand) async throws -> DriverEvent {
        let ref = try send(command)
        let answer: DriverEvent? = try await firstAnswer(within: .seconds(30), "an answer to command \(ref)") {
            try look { state in
                if let event = state.done.removeValue(forKey: ref) { return .some(event) }
                return state.closed == nil ? nil : .some(nil)
            }
        }
        guard let answer else {
            throw TestFailure("the driver's connection is closed: \(try look { $0.closed ?? "" })")
        }
        return answer
    }

    private func send(_ command: (Int) -> DriverCommand) throws -> Int {
        try state.withLock { state in
            state.nextRef += 1
            try child.write(Array(JSONEncoder().encode(command(state.nextRef))) + [UInt8(ascii: "\n")])
            return state.nextRef
        }
    }

    /// As ``look(_:)``, and throws on a closed connection.
    private func take<Value: Sendable>(_ value: (inout State) -> Value) throws -> Value {
        try look { state in
            if let reason = state.closed { throw TestFailure("the driver's connection is closed: \(reason)") }
            return value(&state)
        }
    }

    /// Reads the events that have come since the last time, then looks into what is known.
    private func look<Value: Sendable>(_ value: (inout State) throws -> Value) throws -> Value {
        try state.withLock { state in
            try readEvents(into: &state)
            return try value(&state)
        }
    }

    private func readEvents(into state: inout State) throws {
        guard let file = FileHandle(forReadingAtPath: child.outputPath) else { return }
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(state.read))
        guard let bytes = try file.readToEnd(), let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return }
        state.read += end + 1
        for line in bytes[..<end].split(separator: UInt8(ascii: "\n")) {
            apply(try JSONDecoder().decode(DriverEvent.self, from: line), to: &state)
        }
    }

    private func apply(_ event: DriverEvent, to state: inout State) {
        switch event.event {
        case "ready": state.ready = true
        case "closed": state.closed = event.reason
        case "message":
            let message = DriverMessage(
                queue: event.queue ?? "", routingKey: event.key ?? "", arrival: event.at ?? 0,
                properties: event.properties ?? .init(), body: Self.bytes(event.body ?? ""))
            state.messages[message.queue, default: []].append(message)
        default:
            guard let ref = event.ref else { return }
            if let outcome = Outcome(rawValue: event.event) {
                if state.outcomes[ref] == nil { state.outcomes[ref] = outcome }
            } else {
                state.done[ref] = event
            }
        }
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.utf8.map { UInt8($0 > 57 ? $0 - 87 : $0 - 48) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
