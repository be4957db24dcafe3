// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import FoundationNetworking
import Glibc
import TestSupport

/// An `agora-token gateway` that a test runs, and what an HTTP client gets from it.
final class GatewayProcess: Sendable {
    /// An answer.
    struct Answer: Sendable {
        let status: Int
        let body: String
        let fields: [String: String]

        func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            do { return try JSONDecoder().decode(type, from: Data(body.utf8)) } catch {
                throw TestFailure("\(status) \(body): \(error)")
            }
        }
    }

    /// The body of an answer with a token.
    struct Token: Decodable {
        let token: String
        let expiresAt: Int
        let expiresIn: Int
        let leaseId: String?
    }

    private let child: ChildProcess

    /// Starts a gateway at a port that is free, with further arguments and variables.
    init(url: String, arguments: [String] = [], environment: [String: String] = [:]) throws {
        var words = ["gateway"]
        for flag in ["--listen", "--http"] where !arguments.contains(flag) { words += [flag, "127.0.0.1:0"] }
        child = try ChildProcess(
            TestEnvironment.binary, words + arguments, environment: ["AMQP_URL": url].merging(environment) { $1 })
    }

    /// Its log.
    var log: String { child.output + child.errorText }

    /// Where it serves its clients, HOST:PORT.
    func address() async throws -> String {
        try await firstAnswer(within: .seconds(20), "an HTTP address in the gateway's log\n\(log)") {
            log.firstMatch(of: /"serves_http","address":"([^"]+)"/).map { String($0.output.1) }
        }
    }

    /// Where it serves monitoring, HOST:PORT.
    func monitoringAddress() async throws -> String {
        try await firstAnswer(within: .seconds(20), "an address for monitoring in the gateway's log\n\(log)") {
            log.firstMatch(of: /"serves_metrics","address":"([^"]+)"/).map { String($0.output.1) }
        }
    }

    /// The port of its address.
    func port() async throws -> UInt16 {
        guard let port = try await address().split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw TestFailure("no port in the gateway's log")
        }
        return port
    }

    /// Waits until it is connected to the broker.
    func becomesReady() async throws {
        try await eventually(within: .seconds(30), "/readyz with 200\n\(log)") {
            try await send("GET", "/readyz").status == 200
        }
    }

    /// Gets a page that is for monitoring.
    func page(_ path: String) async throws -> Answer {
        try await send("GET", path, to: monitoringAddress())
    }

    /// Sends a request, to where clients are served unless another address is given.
    func send(
        _ method: String, _ path: String = "/fetch_rtc_token", body: String? = nil, fields: [String: String] = [:],
        timeout: Double = 30, to address: String? = nil
    ) async throws -> Answer {
        var host = address
        if host == nil { host = try await self.address() }
        guard let host, let url = URL(string: "http://\(host)\(path)") else { throw TestFailure("no URL") }
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let head = response as? HTTPURLResponse else { throw TestFailure("no HTTP answer") }
        let names = head.allHeaderFields.compactMap { name, value in
            (name as? String).map { ($0.lowercased(), "\(value)") }
        }
        return Answer(
            status: head.statusCode, body: String(decoding: data, as: UTF8.self),
            fields: Dictionary(names) { first, _ in first })
    }

    /// Asks for a token as Agora's sample client does: with JSON that the head calls a form.
    func fetch(_ body: String, fields: [String: String] = [:]) async throws -> Answer {
        let form = ["Content-Type": "application/x-www-form-urlencoded"]
        return try await send("POST", body: body, fields: form.merging(fields) { $1 })
    }

    /// Asks for a token and expects one.
    func token(_ body: String) async throws -> Token {
        let answer = try await fetch(body)
        guard answer.status == 200 else { throw TestFailure("\(answer.status) \(answer.body)\n\(log.suffix(2000))") }
        return try answer.json()
    }

    /// Sends a signal.
    func signal(_ number: Int32) { child.signal(number) }

    /// Waits for its end.
    func wait(within limit: Duration) async throws -> ChildProcess.Exit { try await child.wait(within: limit) }

    /// Asks it to stop, and waits for its end.
    @discardableResult
    func stop() async throws -> ChildProcess.Exit {
        child.signal(SIGTERM)
        return try await child.wait(within: .seconds(40))
    }
}
