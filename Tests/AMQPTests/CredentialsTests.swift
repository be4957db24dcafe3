// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Foundation
import TestSupport
import Testing

/// Credentials and brokers that come from files, and change while a program runs.
@Suite(.timeLimit(.minutes(1))) struct CredentialsTests {
    private func file(_ text: String) throws -> String {
        let path = "\(TestEnvironment.scratch)/\(TestEnvironment.uniqueName("setting"))"
        try write(text, to: path)
        return path
    }

    private func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test("B19: a password that has changed is read from its file at the next connection")
    func readsThePasswordAgain() async throws {
        try await VirtualHost.with { host in
            try await host.withUser("rotated") { user, url in
                var configuration = try quickConfiguration(url, name: "rotated")
                configuration.endpoints[0].user = "in-no-url"
                configuration.endpoints[0].password = "in-no-url"
                configuration.userFile = try file(user)
                let passwordFile = try file("\(user)\n")
                configuration.passwordFile = passwordFile
                let publisher = PublisherProbe(configuration)
                try await publisher.waitReady()

                try await host.broker.management.call(
                    "PUT", ["users", user], body: #"{"password":"the new one","tags":""}"#)
                var known = publisher.states.all.count
                try await host.closeConnection(named: "rotated")
                let state = try await publisher.states.wait(after: known, "refused") {
                    if case .unreachable(let error, _) = $0 { error.code == .authenticationFailed } else { false }
                }
                #expect(!"\(state)".contains(user + user))
                known = publisher.states.all.count
                try write("the new one\n", to: passwordFile)
                try await publisher.states.wait(after: known, "ready with the new password") { $0.isReady }
            }
        }
    }

    @Test("B19: brokers are read from their file at the next round of attempts")
    func readsTheBrokersAgain() async throws {
        try await VirtualHost.with { host in
            var configuration = try quickConfiguration("amqp://127.0.0.1:1")
            let path = try file("# none is there\n\namqp://127.0.0.1:1\r\namqp://127.0.0.1:2  amqp://127.0.0.1:3\n")
            configuration.endpointsFile = path
            let publisher = PublisherProbe(configuration)
            try await publisher.states.wait("unreachable") { if case .unreachable = $0 { true } else { false } }
            try write(host.url, to: path)
            try await publisher.waitReady()
            #expect(try Topology(configuration).broker.product == "RabbitMQ")
        }
    }

    @Test(
        "A file that holds something else is named, and its content is not",
        arguments: [
            ("geheim\ngeheim", "geheim on two lines"), ("", "nothing"), ("ge\u{0}heim", "a zero byte"),
            (String(repeating: "geheim", count: 50), "too much"),
        ])
    func refusesOtherContents(_ content: String, _ what: String) throws {
        var configuration = try quickConfiguration("amqp://127.0.0.1:1")
        let path = try file(content)
        configuration.passwordFile = path
        let error = #expect(throws: AMQPError.self) { try Topology(configuration) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.text.contains(path) == true)
        #expect(error?.text.contains("geheim") == false)
        configuration.passwordFile = nil
        configuration.endpointsFile = path
        let second = #expect(throws: AMQPError.self) { try Topology(configuration) }
        #expect(second?.code == .invalidConfiguration)
        #expect(second?.text.contains(path) == true)
        #expect(second?.text.contains("geheim") == false)
    }

    @Test func namesMissingFiles() throws {
        var configuration = try quickConfiguration("amqp://127.0.0.1:1")
        configuration.passwordFile = "/no/such/file"
        let error = #expect(throws: AMQPError.self) { try Topology(configuration) }
        #expect(
            error?.description
                == "amqp://guest@127.0.0.1:1: the file /no/such/file with the password cannot be read "
                + "(No such file or directory)")
    }
}
