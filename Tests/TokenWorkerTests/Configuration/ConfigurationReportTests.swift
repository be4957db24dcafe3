// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing
import TokenMessages

@testable import TokenWorker

@Suite struct ConfigurationReportTests {
    private let secrets = [
        "5CFd2fd1755d40ecb72977518be15d3b", "0123456789abcdef0123456789abcdef", "hunter2", "hunter3",
    ]

    private func text(_ report: ConfigurationReport) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        report.write(to: &writer)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func everyValueHasItsSourceAndNoSecretIsShown() throws {
        let file = try ConfigurationFile(
            text: Array(
                """
                {projects: [{appId: '970CA35de60c44645bbae8a215061b33', certificate: '\(secrets[0])',
                  secondaryCertificate: '\(secrets[1])', activeCertificate: 'secondary'}],
                 prefix: 'filed', prefetch: 7}
                """.utf8), name: "test.json5")
        let report = ConfigurationReport(
            SettingSources(
                flags: ["prefetch": "9"],
                environment: [
                    "AMQP_URL": "amqp://u:hunter2@a amqps://u:hunter2@b", "DATABASE_URL": "postgres://u:hunter3@db/x",
                ], file: file))
        #expect(report.fault == nil)
        let lines = Dictionary(uniqueKeysWithValues: report.lines.map { ($0.key, $0) })
        #expect(lines["prefix"] == .init(key: "prefix", value: "filed", source: "prefix", fault: nil))
        #expect(lines["prefetch"] == .init(key: "prefetch", value: "9", source: "--prefetch", fault: nil))
        #expect(lines["amqp"]?.value == "amqp://u@a:5672 amqps://u@b:5671")
        #expect(lines["store"]?.value == "postgres://db/x" && lines["store"]?.source == "DATABASE_URL")
        #expect(lines["visibility"]?.source == "default")
        #expect(report.projects.first?.active == .secondary && report.projects.first?.source == "projects[0]")
        for secret in secrets { #expect(!text(report).contains(secret) && !"\(report)".contains(secret)) }
    }

    /// What is shown as the default is what counts.
    @Test func theDefaultsAreThoseOfAWorker() throws {
        let home = ["HOME": "/home/u"]
        let plain = SettingSources(
            environment: home.merging([
                "AGORA_APP_ID": "970CA35de60c44645bbae8a215061b33", "AGORA_APP_CERTIFICATE": secrets[0],
                "AMQP_URL": "amqp://a",
            ]) { $1 })
        let expected = try WorkerConfiguration(plain)
        var shown: [String: String] = [:]
        for line in ConfigurationReport(plain).lines where line.source == "default" { shown[line.key] = line.value }
        let flags = Dictionary(
            uniqueKeysWithValues: Setting.all.compactMap { setting in
                setting == .log ? nil : shown[setting.key].flatMap { text in setting.flag.map { ($0, text) } }
            })
        var explicit = plain
        explicit.flags = flags
        let found = try WorkerConfiguration(explicit)
        #expect(flags.count >= 9)
        #expect(found.names.queue(.request) == expected.names.queue(.request) && found.store == expected.store)
        #expect(found.defaultLifetime == expected.defaultLifetime && found.prefetch == expected.prefetch)
        #expect(found.deliveryLimit == expected.deliveryLimit && found.gracePeriod == expected.gracePeriod)
        #expect(found.visibility == expected.visibility && found.directReplyTo == expected.directReplyTo)
        #expect("\(found.http)" == "\(expected.http)")
    }

    @Test func whatIsWrongIsSaidBesideTheRest() {
        let report = ConfigurationReport(
            SettingSources(environment: ["AMQP_URL": "http://u:hunter2@a", "AGORA_TOKEN_PREFIX": "mine", "HOME": "/h"]))
        #expect(report.fault?.contains("AGORA_APP_ID") == true)
        #expect(report.projects.isEmpty)
        let lines = Dictionary(uniqueKeysWithValues: report.lines.map { ($0.key, $0) })
        #expect(lines["amqp"]?.fault != nil && lines["amqp"]?.value == nil)
        #expect(lines["prefix"]?.value == "mine")
        #expect(!text(report).contains("hunter2"))
    }
}
