// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Testing

/// RabbitMQ's URI specification, appendix A, and what librabbitmq's own parser gets wrong.
@Suite struct AMQPURLTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let text: String
        let user: String
        let password: String
        let host: String
        let port: UInt16
        let virtualHost: String

        var testDescription: String { text }
    }

    @Test(
        "L24: URLs of the specification",
        arguments: [
            Example(
                text: "amqp://user:pass@host:10000/vhost", user: "user", password: "pass", host: "host", port: 10000,
                virtualHost: "vhost"),
            Example(
                text: "amqp://user%61:%61pass@ho%61st:10000/v%2fhost", user: "usera", password: "apass", host: "hoast",
                port: 10000, virtualHost: "v/host"),
            Example(text: "amqp://", user: "guest", password: "guest", host: "localhost", port: 5672, virtualHost: "/"),
            Example(text: "amqp://:@/", user: "", password: "", host: "localhost", port: 5672, virtualHost: ""),
            Example(
                text: "amqp://user@", user: "user", password: "guest", host: "localhost", port: 5672, virtualHost: "/"),
            Example(
                text: "amqp://user:pass@", user: "user", password: "pass", host: "localhost", port: 5672,
                virtualHost: "/"),
            Example(text: "amqp://host", user: "guest", password: "guest", host: "host", port: 5672, virtualHost: "/"),
            Example(
                text: "amqp://:10000", user: "guest", password: "guest", host: "localhost", port: 10000,
                virtualHost: "/"),
            Example(
                text: "amqp:///vhost", user: "guest", password: "guest", host: "localhost", port: 5672,
                virtualHost: "vhost"),
            Example(text: "amqp://host/", user: "guest", password: "guest", host: "host", port: 5672, virtualHost: ""),
            Example(
                text: "amqp://host/%2f", user: "guest", password: "guest", host: "host", port: 5672, virtualHost: "/"),
            Example(text: "amqp://[::1]", user: "guest", password: "guest", host: "::1", port: 5672, virtualHost: "/"),
            Example(
                text: "amqps://[fe80::1%25eth0]:7", user: "guest", password: "guest", host: "fe80::1%eth0", port: 7,
                virtualHost: "/"),
            Example(text: "amqps://host", user: "guest", password: "guest", host: "host", port: 5671, virtualHost: "/"),
            Example(
                text: "AMQP://j%C3%BCrgen:p%40ss%2Fw@h", user: "jürgen", password: "p@ss/w", host: "h", port: 5672,
                virtualHost: "/"),
            Example(
                text: "amqp://u:p@ss:word@h", user: "u", password: "p@ss:word", host: "h", port: 5672, virtualHost: "/"),
        ])
    func parses(_ example: Example) throws {
        let url = try AMQPURL(parsing: example.text)
        #expect(url.user == example.user)
        #expect(url.password == example.password)
        #expect(url.host == example.host)
        #expect(url.port == example.port)
        #expect(url.virtualHost == example.virtualHost)
    }

    @Test func readsQueryParameters() throws {
        let url = try AMQPURL(parsing: "amqp://h/v?heartbeat=15&connection_timeout=2500")
        #expect(url.heartbeat == 15)
        #expect(url.connectionTimeout == 2500)
        #expect(url.virtualHost == "v")
    }

    @Test(
        "L24: what is no URL is refused",
        arguments: [
            ("", AMQPURLError.scheme), ("http://h", .scheme), ("amqp:/h", .scheme), ("localhost:5672", .scheme),
            ("amqp://h:0", .port), ("amqp://h: 12", .port), ("amqp://h:+5672", .port), ("amqp://h:65536", .port),
            ("amqp://h:", .port), ("amqp://h:5672x", .port), ("amqp://[::1", .host), ("amqp://[host]", .host),
            ("amqp://a b", .host), ("amqp://h/a/b", .path), ("amqp://h/%2", .percentEncoding(part: "virtual host")),
            ("amqp://h/%zz", .percentEncoding(part: "virtual host")),
            ("amqp://%ff@h", .percentEncoding(part: "user name")), ("amqp://a%00b@h", .value(part: "user name")),
            ("amqp://u:%0a@h", .value(part: "password")), ("amqp://h?heartbeat=-1", heartbeatError),
            ("amqp://h?heartbeat=70000", heartbeatError), ("amqp://h?heartbeat=", heartbeatError),
            ("amqp://h?nonsense=1", .unknownParameter("nonsense")),
            ("amqp://h?heartbeat=1&heartbeat=2", .unknownParameter("heartbeat")),
        ])
    func refuses(_ text: String, _ expected: AMQPURLError) {
        #expect(throws: expected) { try AMQPURL(parsing: text) }
    }

    private static let heartbeatError = AMQPURLError.parameter(
        name: "heartbeat", expected: "a number of seconds from 0 to 65535")

    @Test func readsParametersOfTLS() throws {
        let url = try AMQPURL(
            parsing: """
                amqps://h?cacertfile=/a%20b/ca.pem&certfile=c.pem&keyfile=k.pem&verify=verify_none\
                &server_name_indication=rabbit.test&auth_mechanism=external&channel_max=9
                """)
        #expect(url.tls.authorityFile == "/a b/ca.pem")
        #expect(url.tls.certificateFile == "c.pem")
        #expect(url.tls.keyFile == "k.pem")
        #expect(!url.tls.verifiesBroker)
        #expect(url.tls.serverName == "rabbit.test")
        #expect(url.mechanism == .external)
        #expect(url.channelMaximum == 9)
        #expect(try AMQPURL(parsing: "amqps://h").tls == TLSSettings())
        #expect(TLSSettings().verifiesBroker)
    }

    @Test(
        "L24: parameters that would mean nothing are refused",
        arguments: [
            "amqp://h?cacertfile=/ca.pem", "amqps://h?cacertfile=", "amqps://h?verify=no", "amqps://h?certfile=%00",
            "amqps://h?server_name_indication=", "amqps://h?server_name_indication=a%20b", "amqp://h?auth_mechanism=",
            "amqp://h?channel_max=0", "amqps://h?verify=verify_peer&verify=verify_none",
        ])
    func refusesParameters(_ text: String) {
        #expect(throws: AMQPURLError.self) { try AMQPURL(parsing: text) }
    }

    @Test func refusesAVirtualHostOver255Bytes() {
        #expect(throws: AMQPURLError.value(part: "virtual host")) {
            try AMQPURL(parsing: "amqp://h/" + String(repeating: "v", count: 256))
        }
    }

    @Test func neverShowsThePassword() throws {
        let url = try AMQPURL(parsing: "amqp://me:geheim@[::1]:7/%2fa?heartbeat=3")
        #expect("\(url)" == "amqp://me@[::1]:7/%2Fa")
        #expect(!String(reflecting: url).contains("geheim"))
        #expect(throws: (any Error).self) { try AMQPURL(parsing: "amqp://me:geheim@h:x") }
        do {
            _ = try AMQPURL(parsing: "amqp://me:geheim@h:x")
        } catch {
            #expect(!"\(error)".contains("geheim"))
        }
    }
}
