// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@testable import agora_token

/// What operators ask about a configuration, without a broker.
@Suite struct ConfigurationCommandTests {
    private static let appID = "970CA35de60c44645bbae8a215061b33"
    private static let certificate = "5CFd2fd1755d40ecb72977518be15d3b"
    private static let other = "0123456789abcdef0123456789abcdef"
    private static let complete = [
        "AGORA_APP_ID": appID, "AGORA_APP_CERTIFICATE": certificate, "AMQP_URL": "amqp://u:hunter2@broker",
        "DATABASE_URL": "none",
    ]

    private func isWithoutSecrets(_ result: Shell.Result) -> Bool {
        [Self.certificate, Self.other, "hunter2"].allSatisfy {
            !result.output.contains($0) && !result.errors.contains($0)
        }
    }

    @Test func checkIsForMachinesToo() async {
        let good = await Shell(environment: Self.complete).run("config", "check", "--json")
        #expect(good.status == .success && good.output.contains("\"complete\":true"), "\(good)")
        #expect(good.output.contains("\"broker\":\"amqp://u@broker:5672\"") && isWithoutSecrets(good))
        let bad = await Shell(environment: Self.complete.merging(["AGORA_APP_CERTIFICATE": "x"]) { $1 })
            .run("config", "check", "--json")
        #expect(bad.status == .configuration && bad.errors.isEmpty, "\(bad)")
        #expect(bad.output.contains("\"complete\":false,\"setting\":\"AGORA_APP_CERTIFICATE\""))
    }

    @Test func showSaysWhereEachValueComesFrom() async throws {
        let result = await Shell(environment: Self.complete).run("config", "show", "--prefix", "calls")
        #expect(result.status == .success, "\(result)")
        let rows = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.contains(["prefix", "calls", "--prefix"]))
        #expect(rows.contains(["amqp", "amqp://u@broker:5672", "AMQP_URL"]))
        #expect(rows.contains(["prefetch", "250", "default"]))
        #expect(rows.contains(["primary", "\(try AppCertificate(Self.certificate).fingerprint),", "signs"]))
        #expect(isWithoutSecrets(result))
        let partial = await Shell(environment: ["AMQP_URL": "amqp://u:hunter2@broker", "DATABASE_URL": "none"])
            .run("config", "show", "--json")
        #expect(partial.status == .configuration && partial.output.contains("amqp://u@broker:5672"), "\(partial)")
        #expect(partial.output.contains("\"fault\":\"AGORA_APP_ID: is missing") && isWithoutSecrets(partial))
    }

    @Test func certificatesWithoutAStore() async throws {
        let both = Self.complete.merging(["AGORA_APP_SECONDARY_CERTIFICATE": Self.other]) { $1 }
        let result = await Shell(environment: both).run("certificates")
        #expect(result.status == .success && isWithoutSecrets(result), "\(result)")
        for certificate in [Self.certificate, Self.other] {
            #expect(result.output.contains(try AppCertificate(certificate).fingerprint))
        }
        #expect(result.output.contains("a day after the last of them"))
    }

    /// An App ID alone checks no signature, and is no reason to explain nothing.
    @Test func anAppIDAloneExplains() async throws {
        let token = try AccessToken.rtc(
            appID: AppID(Self.appID), channel: "test", user: 7, lifetime: 600, issuedAt: 1_790_000_000, salt: 1
        ).signed(with: AppCertificate(Self.certificate))
        let result = await Shell(environment: ["AGORA_APP_ID": Self.appID])
            .run("explain", token, "--at", "1790000001", "--channel", "test", "--uid", "7")
        #expect(result.status == .success, "\(result)")
        // The other slot's certificate counts, too.
        let both = [
            "AGORA_APP_ID": Self.appID, "AGORA_APP_CERTIFICATE": Self.other,
            "AGORA_APP_SECONDARY_CERTIFICATE": Self.certificate,
        ]
        let checked = await Shell(environment: both).run("explain", token, "--at", "1790000001")
        #expect(checked.status == .success, "\(checked)")
        let wrong = await Shell(environment: both.merging(["AGORA_APP_SECONDARY_CERTIFICATE": ""]) { $1 })
            .run("explain", token, "--at", "1790000001")
        #expect(wrong.status == .configuration, "an empty certificate is none")
    }

    @Test func doctorFailsWithoutABroker() async {
        let result = await Shell(
            environment: Self.complete.merging(["AMQP_URL": "amqp://u:hunter2@127.0.0.1:9"]) { $1 }
        )
        .run("doctor")
        #expect(result.status == .failure && isWithoutSecrets(result), "\(result)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("fail  broker ") })
        #expect(lines.contains { $0.contains("→ start the broker") })
        #expect(lines.contains { $0.hasPrefix("ok    settings ") })
    }
}
