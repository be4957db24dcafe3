// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing

@testable import TokenWorker

@Suite struct SettingSourcesTests {
    private func file(_ text: String) throws -> ConfigurationFile {
        try ConfigurationFile(text: Array(text.utf8), name: "test.json5")
    }

    private func secretFile(_ text: String) throws -> String {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    @Test func theFlagGoesBeforeTheEnvironmentAndThatBeforeTheFile() throws {
        var sources = SettingSources(
            flags: ["prefix": "flag"], environment: ["AGORA_TOKEN_PREFIX": "variable"],
            file: try file("{prefix: 'file'}"))
        #expect(try sources.value(of: .prefix) == .init(text: "flag", origin: "--prefix"))
        sources.flags = [:]
        #expect(try sources.value(of: .prefix) == .init(text: "variable", origin: "AGORA_TOKEN_PREFIX"))
        sources.environment = [:]
        #expect(try sources.value(of: .prefix) == .init(text: "file", origin: "prefix"))
        sources.file = .init()
        #expect(try sources.value(of: .prefix) == nil)
    }

    @Test func aSecretIsReadFromItsFileWithoutTheEndOfTheLine() throws {
        let path = try secretFile("0123\n")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let byVariable = SettingSources(environment: ["AGORA_APP_CERTIFICATE_FILE": path])
        #expect(
            try byVariable.value(of: .certificate) == .init(text: "0123", origin: "AGORA_APP_CERTIFICATE_FILE"))
        let byFlag = SettingSources(flags: ["app-certificate-file": path])
        #expect(try byFlag.value(of: .certificate)?.text == "0123")
        let byKey = SettingSources(file: try file(#"{"certificateFile": "\#(path)"}"#))
        #expect(try byKey.value(of: .certificate)?.text == "0123")
    }

    @Test(arguments: ["", "a\nb\n"]) func aSecretsFileHoldsOneLine(text: String) throws {
        let path = try secretFile(text)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let sources = SettingSources(environment: ["AMQP_URL_FILE": path])
        #expect(throws: ConfigurationError.self) { try sources.value(of: .broker) }
    }

    /// A secret that stands where its file's name belongs, or in the setting beside its own, is not repeated.
    @Test(arguments: [
        (Setting.broker, "AMQP_URL_FILE", "amqp://u:hunter2@broker"),
        (.store, "DATABASE_URL_FILE", "postgres://u:hunter2@db/x"),
        (.gatewaySecret, "AGORA_TOKEN_GATEWAY_SECRET_FILE", "hunter2-hunter2-hunter2"),
        (.certificate, "AGORA_APP_CERTIFICATE_FILE", "5CFd2fd1755d40ecb72977518be15d3b"),
    ]) func aMisplacedSecretIsNotRepeated(setting: Setting, variable: String, secret: String) {
        let sources = SettingSources(environment: [variable: secret])
        #expect {
            try sources.value(of: setting)
        } throws: { error in
            "\(error)".hasPrefix("\(variable): ") && !"\(error)".contains(secret)
        }
    }

    @Test func aCertificateIsNoNameOfASlot() {
        let certificate = "5CFd2fd1755d40ecb72977518be15d3b"
        let sources = SettingSources(environment: [
            "AGORA_APP_ID": "970CA35de60c44645bbae8a215061b33", "AGORA_APP_CERTIFICATE": certificate,
            "AGORA_APP_ACTIVE_CERTIFICATE": certificate,
        ])
        #expect {
            try Projects(sources)
        } throws: { error in
            "\(error)".hasPrefix("AGORA_APP_ACTIVE_CERTIFICATE: ") && !"\(error)".contains(certificate)
        }
    }

    @Test func aMissingSecretsFileIsNamed() {
        let sources = SettingSources(environment: ["AGORA_APP_CERTIFICATE_FILE": "/nowhere/certificate"])
        #expect {
            try sources.value(of: .certificate)
        } throws: { error in
            "\(error)".contains("AGORA_APP_CERTIFICATE_FILE: /nowhere/certificate")
        }
    }

    @Test func twoFormsOfOneSecretContradict() throws {
        let sources = SettingSources(environment: ["AMQP_URL": "amqp://a", "AMQP_URL_FILE": "/b"])
        #expect(throws: ConfigurationError.self) { try sources.value(of: .broker) }
        let both = SettingSources(file: try file("{store: 'none', storeFile: '/b'}"))
        #expect(throws: ConfigurationError("store", "is set beside storeFile; set one of the two")) {
            try both.value(of: .store)
        }
    }

    @Test func theFileMayUseCommentsAndTrailingCommas() throws {
        let parsed = try file("{ // how long\n defaultLifetime: 60, projects: [{appId: 'x', default: true,}],}")
        #expect(parsed.values == ["defaultLifetime": "60"])
        #expect(parsed.projects.map(\.appID) == ["x"])
        #expect(parsed.projects.first?.isDefault == true)
    }

    @Test(arguments: [
        ("{colour: 'red'}", "colour"), ("{projects: [{name: 'x'}]}", "projects.name"), ("{prefix: []}", "prefix"),
        ("{prefix", "test.json5"), ("{prefix: true}", "prefix"), ("[]", "test.json5"),
    ]) func whatIsWrongInTheFileIsNamed(text: String, setting: String) {
        #expect {
            try file(text)
        } throws: { error in
            (error as? ConfigurationError)?.setting == setting
        }
    }

    @Test(arguments: ["0", "-1", "86401", "3600s", "1e3", " 5"]) func aLifetimeIsBounded(text: String) {
        let sources = SettingSources(environment: ["AGORA_TOKEN_DEFAULT_LIFETIME": text])
        #expect {
            try sources.integer(.defaultLifetime, in: 1...86_400)
        } throws: { error in
            "\(error)".hasPrefix("AGORA_TOKEN_DEFAULT_LIFETIME: \"\(text)\"")
        }
    }
}
