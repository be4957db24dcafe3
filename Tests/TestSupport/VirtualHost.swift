// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation

/// A virtual host of a broker, which keeps the queues of one test from those of the others.
package struct VirtualHost: Sendable {
    /// Its name, in need of no percent-encoding.
    package let name: String
    /// The broker that it is on.
    package let broker: BrokerAddress

    /// Creates one for `guest`, runs a test in it, and deletes it whatever the test's result.
    package static func with<Result>(
        on address: BrokerAddress? = nil, _ body: (VirtualHost) async throws -> Result
    ) async throws -> Result {
        let broker: BrokerAddress
        if let address { broker = address } else { broker = try await SharedBroker.address }
        let host = VirtualHost(name: TestEnvironment.uniqueName("test"), broker: broker)
        try await broker.management.call("PUT", ["vhosts", host.name])
        let outcome: Swift.Result<Result, any Error>
        do {
            try await host.allow("guest")
            outcome = .success(try await body(host))
        } catch {
            outcome = .failure(error)
        }
        _ = try? await broker.management.call("DELETE", ["vhosts", host.name])
        return try outcome.get()
    }

    /// The AMQP URL of this virtual host for `guest`.
    package var url: String { "\(broker.url)/\(name)" }

    /// Gives a user permissions in this virtual host: regular expressions for what it may do.
    package func allow(
        _ user: String, configure: String = ".*", write: String = ".*", read: String = ".*"
    ) async throws {
        let body = try JSONEncoder().encode(["configure": configure, "write": write, "read": read])
        try await broker.management.call(
            "PUT", ["permissions", name, user], body: String(decoding: body, as: UTF8.self))
    }

    /// Makes a user with a password equal to its name, with all permissions here, for the body's time.
    ///
    /// The body gets the user's name, unique on the broker, and its AMQP URL of this virtual host.
    package func withUser<Result>(
        _ prefix: String, _ body: (_ name: String, _ url: String) async throws -> Result
    ) async throws -> Result {
        let user = TestEnvironment.uniqueName(prefix)
        try await broker.management.call("PUT", ["users", user], body: #"{"password":"\#(user)","tags":""}"#)
        let outcome: Swift.Result<Result, any Error>
        do {
            try await allow(user)
            outcome = .success(try await body(user, url.replacing("guest:guest@", with: "\(user):\(user)@")))
        } catch {
            outcome = .failure(error)
        }
        _ = try? await broker.management.call("DELETE", ["users", user])
        return try outcome.get()
    }
}
