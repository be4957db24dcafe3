// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// `doctor` against real brokers and stores, well and unwell.
@Suite(.timeLimit(.minutes(3)))
struct DoctorTests {
    private struct Report: Decodable {
        struct Check: Decodable {
            let level: String
            let area: String
            let text: String
            let advice: String?
        }

        let ok: Bool
        let checks: [Check]

        func texts(_ level: String, _ area: String) -> String {
            checks.filter { $0.level == level && $0.area == area }.map { "\($0.text) → \($0.advice ?? "-")" }
                .joined(separator: "\n")
        }
    }

    private func examine(
        _ environment: [String: String], _ arguments: [String] = [], status: Int32
    ) async throws -> Report {
        let variables = [
            "AGORA_APP_ID": WorkerProcess.appID, "AGORA_APP_CERTIFICATE": WorkerProcess.certificate,
            "DATABASE_URL": "none",
        ]
        let child = try ChildProcess(
            TestEnvironment.binary, ["doctor", "--json"] + arguments,
            environment: variables.merging(environment) { $1 })
        #expect(try await child.wait(within: .seconds(60)) == .code(status), "\(child.output)\(child.errorText)")
        for secret in [WorkerProcess.certificate, "guest:guest"] { #expect(!child.output.contains(secret)) }
        return try JSONDecoder().decode(Report.self, from: Data(child.output.utf8))
    }

    @Test func allIsWellBesideAWorker() async throws {
        try await Scene.withWorker { scene, _ in
            let management = scene.host.broker.management.base
            _ = try await Requester(url: scene.host.url).token(#"{"channelName":"test","uid":1}"#)
            try await ChildProcess.run(
                TestEnvironment.binary, ["topology", "apply", "--management", management],
                environment: ["AMQP_URL": scene.host.url])
            let report = try await examine(
                ["AMQP_URL": scene.host.url, "DATABASE_URL": scene.database], ["--management", management], status: 0)
            #expect(report.ok)
            #expect(
                Set(report.checks.map(\.area)) == ["settings", "broker", "store", "clock", "certificates", "policy"])
            let broker = report.texts("ok", "broker")
            for fact in [
                "RabbitMQ", "consume agora.tokens.request", "consume agora.tokens.renew", "consume agora.tokens.cancel",
                "default exchange", "agora.notices", "a worker is at work", "policies are right",
            ] {
                #expect(broker.contains(fact), "\(fact) in \(broker)")
            }
            #expect(report.texts("ok", "store").contains("a worker has the file"))
            #expect(report.texts("ok", "clock").contains("the broker and this machine"))
            #expect(report.texts("ok", "clock").contains("signed now is valid now"))
            // It has asked for permission to consume without taking anything, and has not made notices.
            _ = try await Requester(url: scene.host.url).token(#"{"channelName":"test","uid":2}"#)
            let unrouted = try await scene.host.broker.management.call(
                "GET", ["queues", scene.host.name, "agora.notices.unrouted"])
            #expect(!String(decoding: unrouted, as: UTF8.self).contains("\"messages\":1"))
        }
    }

    @Test func saysWhatTheUserMayNot() async throws {
        try await Scene.with { scene in
            try await scene.host.withUser("doctor") { user, url in
                try await scene.host.allow(
                    user, configure: "^$", write: "^amq\\.default$", read: "^agora\\.tokens\\.renew$")
                let report = try await examine(["AMQP_URL": url, "DATABASE_URL": scene.database], status: 1)
                let failures = report.texts("fail", "broker")
                for fact in [
                    "consume agora.tokens.request", "consume agora.tokens.cancel", "notices to agora.notices",
                    "agora.sqlite-owner", "set_permissions \(user)",
                ] {
                    #expect(failures.contains(fact), "\(fact) in \(failures)")
                }
                #expect(report.texts("ok", "broker").contains("consume agora.tokens.renew"))
                #expect(report.texts("ok", "broker").contains("default exchange"))
            }
        }
    }

    @Test func saysWhatIsNotThere() async throws {
        try await VirtualHost.with { host in
            let report = try await examine(["AMQP_URL": host.url, "DATABASE_URL": "sqlite:/nowhere/x.db"], status: 1)
            #expect(report.texts("fail", "broker").contains("queue agora.tokens.request"))
            #expect(report.texts("fail", "broker").contains("topology apply"))
            #expect(report.texts("fail", "store").contains("/nowhere/x.db"))
        }
        let closed = try await examine(["AMQP_URL": "amqp://guest:guest@127.0.0.1:9"], status: 1)
        #expect(closed.texts("fail", "broker").contains("start the broker"))
        let empty = try await examine(["AGORA_APP_ID": "", "AMQP_URL": "", "AGORA_TOKEN_PREFICH": "x"], status: 1)
        #expect(empty.texts("fail", "settings").contains("AGORA_APP_ID"))
        #expect(empty.texts("warn", "settings").contains("AGORA_TOKEN_PREFICH"))
    }
}
