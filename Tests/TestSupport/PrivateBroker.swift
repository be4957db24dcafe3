// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation

/// A RabbitMQ of its own, for tests that kill or stop it; others share ``shared`` by virtual hosts.
///
/// Starting one takes about 5 s. It is removed with the test process at the latest, however that ends.
package final class PrivateBroker: Sendable {
    /// Its name; that of its node is `name@localhost`.
    package let name: String
    private let script = TestEnvironment.root + "/deploy/broker"
    /// The port for AMQP, on 127.0.0.1.
    package let port: Int

    /// Starts a broker, with lines added to its rabbitmq.conf, and waits until it accepts connections.
    ///
    /// With certificates it listens with TLS as well, on the port after ``port``; it may join another's cluster.
    package init(
        configuration: String = "", certificates: Certificates? = nil, joining other: PrivateBroker? = nil
    ) async throws {
        name = TestEnvironment.uniqueName("broker")
        var environment = ["AGORA_BROKER_OWNER": String(ProcessInfo.processInfo.processIdentifier)]
        environment["AGORA_BROKER_TLS"] = certificates?.folder
        environment["AGORA_BROKER_JOIN"] = other?.name
        if !configuration.isEmpty {
            let path = "\(TestEnvironment.scratch)/\(name).conf"
            try configuration.write(toFile: path, atomically: true, encoding: .utf8)
            environment["AGORA_BROKER_CONFIG"] = path
        }
        let answer = try await ChildProcess.run(
            script, ["start", name], environment: environment, within: .seconds(180))
        guard let port = Int(answer.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw TestFailure("deploy/broker start printed \(answer)")
        }
        self.port = port
    }

    /// Kills it as a crash would, and returns when the process is gone.
    package func kill() async throws { try await control("kill") }

    /// Stops it in order, which takes about 6 s.
    package func stop() async throws { try await control("stop") }

    /// Starts it again on the same ports with the same data, and returns when it accepts connections.
    package func start() async throws { try await control("start") }

    /// Freezes it: its connections stay open, and nothing answers.
    package func pause() async throws { try await control("pause") }

    /// Lets it go on after ``pause()``.
    package func resume() async throws { try await control("resume") }

    /// Kills it and deletes its data.
    package func remove() async throws { try await control("remove") }

    /// Runs `rabbitmqctl` against it and returns what that wrote to standard output.
    @discardableResult
    package func rabbitmqctl(_ arguments: [String]) async throws -> String {
        try await control("ctl", arguments)
    }

    @discardableResult
    private func control(_ command: String, _ arguments: [String] = []) async throws -> String {
        try await ChildProcess.run(script, [command, name] + arguments, within: .seconds(180))
    }

    /// Where it is reached.
    package var address: BrokerAddress {
        BrokerAddress(
            url: "amqp://guest:guest@127.0.0.1:\(port)",
            management: ManagementAPI(base: "http://127.0.0.1:\(port + 2)"))
    }
}
