// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Foundation
import TestSupport
import Testing

/// Encrypted connections to a real broker.
@Suite(.timeLimit(.minutes(15))) struct TLSTests {
    static let broker = Task { try await PrivateBroker(certificates: Certificates.all) }

    /// The broker's TLS port, trusting the right authority and showing a certificate of a name, or none.
    static func configuration(
        _ host: VirtualHost, client: String? = nil, _ adapt: (inout AMQPURL) -> Void = { _ in }
    ) async throws -> ConnectionConfiguration {
        let certificates = try await Certificates.all
        var configuration = try quickConfiguration(host.url)
        configuration.endpoints[0].isTLS = true
        configuration.endpoints[0].port += 1
        configuration.endpoints[0].tls.authorityFile = certificates.certificate("ca")
        configuration.endpoints[0].tls.certificateFile = client.map(certificates.certificate)
        configuration.endpoints[0].tls.keyFile = client.map(certificates.key)
        adapt(&configuration.endpoints[0])
        return configuration
    }

    @Test(
        "L22: connects by address and by name, with and without a certificate of its own",
        arguments: [("127.0.0.1", nil, nil), ("localhost", nil, nil), ("127.0.0.1", "rabbit.test", "client")])
    func connects(_ host: String, _ serverName: String?, _ client: String?) async throws {
        try await VirtualHost.with(on: Self.broker.value.address) { virtualHost in
            let configuration = try await Self.configuration(virtualHost, client: client) { endpoint in
                endpoint.host = host
                endpoint.tls.serverName = serverName
            }
            try Topology(configuration).declareQueue("q")
            let publisher = PublisherProbe(configuration)
            try await publisher.send(["hello"], to: "q")
            let consumer = ConsumerProbe(configuration, [QueueSubscription(.existing("q"))])
            #expect(try await consumer.wait(for: 1)[0].text == "hello")
            consumer.connection.acknowledge(consumer.received.map(\.tag))
            #expect(consumer.connection.close())
            #expect(publisher.connection.close())
            #expect(try await virtualHost.messages(in: "q") == 0)
        }
    }

    @Test("It is known when the certificates end, whether they are checked or not", arguments: [true, false])
    func certificateEnds(_ verifies: Bool) async throws {
        let certificates = try await Certificates.all
        try await VirtualHost.with(on: Self.broker.value.address) { host in
            let configuration = try await Self.configuration(host, client: "client") { endpoint in
                endpoint.tls.verifiesBroker = verifies
            }
            let broker = try Topology(configuration).broker
            for (name, end) in [("server", broker.certificateEnd), ("client", broker.clientCertificateEnd)] {
                let question = ["x509", "-in", certificates.certificate(name), "-noout", "-enddate"]
                let text = try await ChildProcess.run("openssl", question + ["-dateopt", "iso_8601"])
                // notAfter=2026-12-30 11:00:00Z
                let date = text.dropFirst("notAfter=".count).trimmingCharacters(in: .whitespacesAndNewlines)
                let expected = try Date(date.replacing(" ", with: "T"), strategy: .iso8601)
                #expect(end == Int64(expected.timeIntervalSince1970), "\(name)")
            }
            let plain = try Topology(quickConfiguration(host.url)).broker
            #expect(plain.certificateEnd == nil && plain.clientCertificateEnd == nil)
        }
    }

    @Test("L22: the URL says it all")
    func connectsByURL() async throws {
        let certificates = try await Certificates.all
        let broker = try await Self.broker.value
        let text =
            "amqps://guest:guest@127.0.0.1:\(broker.port + 1)?cacertfile=\(certificates.certificate("ca"))"
            + "&certfile=\(certificates.certificate("client"))&keyfile=\(certificates.key("client"))"
            + "&verify=verify_peer&server_name_indication=localhost&heartbeat=3&channel_max=7"
        #expect(try Topology(quickConfiguration(text)).broker.product == "RabbitMQ")
    }

    @Test("L23: EXTERNAL logs in as the certificate's name, without a password")
    func logsInByCertificate() async throws {
        try await VirtualHost.with(on: Self.broker.value.address) { host in
            try await host.broker.management.call(
                "PUT", ["users", "worker"], body: #"{"password_hash":"","tags":""}"#)
            try await host.allow("worker")
            for user in ["", "somebody else"] {
                let configuration = try await Self.configuration(host, client: "client") { endpoint in
                    endpoint.mechanism = .external
                    endpoint.user = user
                    endpoint.password = ""
                }
                try Topology(configuration).declareQueue("q-\(user.count)")
            }
            let anonymous = try await Self.configuration(host) { $0.mechanism = .external }
            let error = #expect(throws: AMQPError.self) { try Topology(anonymous) }
            #expect(error?.code == .authenticationFailed)
            #expect(error?.text.contains("whom the client certificate names") == true)
        }
        let shared = try await SharedBroker.address
        var configuration = try quickConfiguration(shared.url)
        configuration.endpoints[0].mechanism = .external
        let error = #expect(throws: AMQPError.self) { try Topology(configuration) }
        #expect(error?.code == .authenticationFailed)
        #expect(error?.text.contains("does not offer this mechanism") == true)
    }

    @Test("L22: a certificate that the broker does not know is a reason in one line")
    func tellsRefusedCertificates() async throws {
        try await VirtualHost.with(on: Self.broker.value.address) { host in
            let configuration = try await Self.configuration(host, client: "other-client")
            let consumer = ConsumerProbe(configuration, [])
            let state = try await consumer.states.wait("refused") { if case .unreachable = $0 { true } else { false } }
            guard case .unreachable(let error, _) = state else { return }
            // The alert may be lost when the broker hangs up first.
            #expect(error.code == .tlsFailed || error.code == .disconnected)
            #expect(error.text.contains("refused the client certificate"))
            #expect(!error.text.contains("\n"))
        }
    }

    @Test("L11: nothing is left lying in OpenSSL: large messages arrive without waiting for the next poll")
    func drainsOpenSSL() async throws {
        try await VirtualHost.with(on: Self.broker.value.address) { host in
            let configuration = try await Self.configuration(host)
            try Topology(configuration).declareQueue("q")
            let consumer = ConsumerProbe(configuration, [QueueSubscription(.existing("q"))])
            let publisher = PublisherProbe(configuration)
            try await consumer.waitReady()
            try await publisher.waitReady()
            let start = ContinuousClock.now
            // Each spans many TLS records; one held back would come 250 ms later, at the next poll.
            for number in 1...40 {
                publisher.connection.publish([
                    Publication(
                        id: UInt64(number), channel: .replies, routingKey: "q",
                        body: [UInt8](repeating: 1, count: 100_000 + number))
                ])
                try await consumer.wait(for: number)
            }
            #expect(start.duration(to: .now) < .seconds(8))
        }
    }

    @Test("L26, Report09: an idle publisher reads what the broker sends, heartbeats too")
    func drainsItsSocket() async throws {
        try await VirtualHost.with(on: Self.broker.value.address) { host in
            var configuration = try await Self.configuration(host)
            configuration.heartbeat = 1
            configuration.connectionName = "idle"
            let publisher = PublisherProbe(configuration)
            try await publisher.waitReady()
            let name = try await host.connection(named: "idle").name
            let duration: Duration = TestEnvironment.runsLongTests ? .seconds(600) : .seconds(5)
            let end = ContinuousClock.now + duration
            var mostUnread = 0
            var sockets = 0
            while .now < end {
                let unread = try await unreadBytes(fromPort: configuration.endpoints[0].port)
                sockets = max(sockets, unread.count)
                mostUnread = max(mostUnread, unread.min() ?? 0)
                // The pace of looking while nothing is to happen.
                try await Task.sleep(for: .milliseconds(300))
            }
            #expect(sockets > 0, "no socket was found, so nothing was looked at")
            #expect(mostUnread < 1000)
            #expect(publisher.states.all.filter { $0 != .connecting(attempt: 1) } == [.ready])
            #expect(try await host.connection(named: "idle").name == name)
        }
    }

    /// The unread bytes of the established sockets of this machine whose peer has a port, as the kernel lists them.
    private func unreadBytes(fromPort port: UInt16) async throws -> [Int] {
        // Read by another program, as Foundation takes the size that the kernel gives, which is zero, for a hint.
        let table = try await ChildProcess.run("cat", ["/proc/net/tcp"])
        let suffix = ":" + String(format: "%04X", port)
        return table.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 4, fields[2].hasSuffix(suffix), fields[3] == "01" else { return nil }
            return fields[4].split(separator: ":").last.flatMap { Int($0, radix: 16) }
        }
    }
}
