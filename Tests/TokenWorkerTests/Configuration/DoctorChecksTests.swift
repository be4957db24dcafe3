// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import AgoraToken
import Foundation
import Testing

@testable import TokenWorker

/// What the doctor concludes from what was found, without asking anybody.
@Suite struct DoctorChecksTests {
    private static let id = "970CA35de60c44645bbae8a215061b33"
    private let certificate: AppCertificate

    init() throws { certificate = try AppCertificate("5CFd2fd1755d40ecb72977518be15d3b") }

    @Test(arguments: [
        ("RabbitMQ", "3.10.8", "allow", "warn"), ("RabbitMQ", "3.10.8", "auto", "ok"),
        ("RabbitMQ", "3.10.12", "allow", "ok"), ("RabbitMQ", "4.1.0", "auto", "ok"),
        ("LavinMQ", "2.0.0", "auto", "warn"),
    ]) func versionsOfTheBroker(product: String, version: String, directReplyTo: String, level: String) throws {
        let found = BrokerCheck.diagnoses(
            BrokerIdentity(product: product, version: version), at: try AMQPURL(parsing: "amqp://u:hunter2@a"),
            directReplyTo: try #require(.init(rawValue: directReplyTo)))
        #expect(found.contains { $0.level == .warn } == (level == "warn"), "\(found)")
        #expect(!"\(found)".contains("hunter2"))
    }

    @Test func anAppIDIsNoCertificate() throws {
        for text in [Self.id, Self.id.uppercased(), Self.id.lowercased()] {
            let project = Project(appID: try AppID(Self.id), certificate: try AppCertificate(text))
            let found = CertificateCheck.diagnoses(Projects([project], standard: project), report: nil)
            #expect(found.map(\.level) == [.fail], "\(text)")
        }
    }

    @Test func twoProjectsDoNotShareACertificate() throws {
        let projects = try [Self.id, "00000000000000000000000000000000"].map {
            Project(appID: try AppID($0), certificate: certificate)
        }
        let found = CertificateCheck.diagnoses(Projects(projects, standard: projects[0]), report: nil)
        #expect(found.map(\.level) == [.fail])
        let other = Projects([projects[0]], standard: nil)
        #expect(CertificateCheck.diagnoses(other, report: nil).map(\.level) == [.warn], "no default")
    }

    @Test func aRotationThatWasLeftIsRemembered() throws {
        let project = Project(
            appID: try AppID(Self.id),
            active: ProjectCertificate(slot: .secondary, value: try AppCertificate("0123456789abcdef0123456789abcdef")),
            other: ProjectCertificate(slot: .primary, value: certificate))
        let projects = Projects([project], standard: project)
        var entry = CertificateReport.Entry(
            project: Self.id, slot: .primary, fingerprint: "f", state: .old, release: .now)
        for (release, level) in [
            (CertificateReport.Release.now, Diagnosis.Level.warn), (.afterWorkers, .warn), (.at(1_790_000_000), .ok),
        ] {
            entry.release = release
            let report = CertificateReport(entries: [entry])
            #expect(CertificateCheck.diagnoses(projects, report: report).map(\.level) == [level])
        }
    }

    @Test(
        arguments: [
            (0o100600, nil), (0o100640, nil), (0o100440, nil), (0o100644, "read by everybody"),
            (0o100660, "changed by others"),
            (0o100666, "changed by others"),
        ] as [(UInt32, String?)]) func openFiles(mode: UInt32, fact: String?)
    {
        let found = FilePermissions.diagnosis("/etc/secret", mode: mode)
        #expect((found == nil) == (fact == nil))
        if let fact { #expect(found?.text.contains(fact) == true && found?.level == .warn) }
    }

    @Test func filesWithSecretsAreLookedAt() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: url) }
        let text = "{projects: [{appId: 'x', certificate: 'y'}], amqpFile: '\(url.path)'}"
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
        let sources = SettingSources(file: try ConfigurationFile(text: Array(text.utf8), name: "x"))
        #expect(FilePermissions.diagnoses(sources, configurationFile: url.path).count == 1, "once for each file")
        #expect(FilePermissions.diagnoses(SettingSources(), configurationFile: url.path).isEmpty)
    }

    @Test func clocks() throws {
        var readings = ClockReadings(machine: 1_790_000_000_000)
        #expect(readings.diagnoses.map(\.level) == [.ok])
        readings.storeAhead = 1500
        readings.brokerAhead = -2500
        #expect(readings.diagnoses.map(\.level) == [.ok, .warn])
        #expect(readings.diagnoses[1].text.contains("2500 ms behind"))
        #expect(ClockReadings(machine: 1_000).diagnoses.map(\.level) == [.fail])
        let project = Project(appID: try AppID(Self.id), certificate: certificate)
        let projects = Projects([project], standard: project)
        #expect(ClockReadings.tokenDiagnoses(projects, readings).map(\.level) == [.ok])
        readings.storeAhead = -61_000
        #expect(ClockReadings.tokenDiagnoses(projects, readings).map(\.level) == [.fail])
    }

    @Test func settingsThatNobodyReads() throws {
        let file = try ConfigurationFile(text: Array("{prefix: 'a', amqp: 'amqp://a'}".utf8), name: "x")
        let sources = SettingSources(
            environment: [
                "AGORA_APP_ID": Self.id, "AGORA_APP_CERTIFICATE": "5CFd2fd1755d40ecb72977518be15d3b", "HOME": "/h",
                "AGORA_TOKEN_PREFIX": "b", "AGORA_TOKEN_PREFICH": "c", "AGORA_APP_CERTIFICATE_FIEL": "/x",
                "AGORA_TOKEN_CONFIG": "x",
            ], file: file)
        let found = SettingsCheck(sources).diagnoses
        #expect(found.allSatisfy { $0.level == .warn })
        #expect(
            found.map { $0.text.split(separator: " ")[0] } == [
                "AGORA_APP_CERTIFICATE_FIEL", "AGORA_TOKEN_PREFICH", "prefix",
            ])
        for path in ["/nowhere/audit", "/tmp"] {
            let audited = SettingSources(flags: ["audit": path], environment: sources.environment)
            let faults = SettingsCheck(audited).diagnoses.filter { $0.level == .fail }
            #expect(faults.contains { $0.text.contains("file \(path) ") })
        }
        let short = SettingSources(flags: ["default-lifetime": "30"], environment: sources.environment)
        #expect(SettingsCheck(short).diagnoses.contains { $0.text.contains("30 s") })
    }

    private func policy(_ text: String) throws -> [Diagnosis] {
        let file = try ConfigurationFile(text: Array("{policy: \(text)}".utf8), name: "x")
        return PolicyCheck.diagnoses(try Policy(SettingSources(file: file), projects: nil))
    }

    @Test(arguments: [
        ("{rules: [{name: 'a', for: {users: ['x']}, allow: {}}, {name: 'b', allow: {}}]}", [Diagnosis.Level.ok], ""),
        ("{rules: [{name: 'a', allow: {}}, {name: 'b', for: {users: ['x']}, deny: true}]}", [.warn], "\"b\""),
        (
            "{rules: [{name: 'a', for: {channels: ['x-*']}, allow: {}}, {name: 'b', for: {channels: ['x-y*']}, allow: {}}]}",
            [.warn], "\"a\" comes first"
        ),
        (
            "{rules: [{name: 'a', for: {channels: ['x-y*']}, allow: {}}, {name: 'b', for: {channels: ['x-*']}, allow: {}}]}",
            [.ok], "2 rules"
        ),
        (
            "{rules: [{name: 'a', for: {users: ['*']}, allow: {}}, {name: 'b', for: {apps: ['x']}, allow: {}}]}", [.ok],
            "2 rules"
        ),
        (
            "{rules: [{name: 'a', for: {services: ['rtc', 'rtm']}, allow: {}}, {name: 'b', for: {services: ['rtm']}, deny: true}]}",
            [.warn], "\"b\" is never reached"
        ),
        ("{requireUser: true, rules: [{name: 'a', for: {apps: ['x']}, allow: {}}]}", [.warn], "nobody"),
        ("{rules: []}", [.fail], "nobody gets anything"),
        ("{}", [.warn], "there are no rules"),
    ]) func rulesThatDecideAboutNothing(text: String, levels: [Diagnosis.Level], fact: String) throws {
        let found = try policy(text)
        #expect(found.map(\.level) == levels, "\(found)")
        #expect(fact.isEmpty || found.first?.text.contains(fact) == true, "\(found)")
    }

    /// Every variable that some part of the program reads is known.
    @Test func settingsThatSomebodyReads() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
        let files = FileManager.default.enumerator(at: folder.standardizedFileURL, includingPropertiesForKeys: nil)
        var names: Set<String> = []
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            names.formUnion(text.matches(of: /AGORA_(?:TOKEN|APP)_[A-Z_]*[A-Z]/).map { String($0.output) })
        }
        #expect(names.count > 12)
        let sources = SettingSources(environment: Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
        #expect(SettingsCheck(sources).diagnoses.filter { $0.text.contains("no setting") }.isEmpty)
    }

    @Test(arguments: [(0x6969, "NFS"), (0xEF53, nil), (0x0102_1994, nil), (0xFE53_4D42, "SMB")] as [(UInt32, String?)])
    func filesystems(type: UInt32, name: String?) {
        #expect(StorePlace.remote(type) == name)
    }

    @Test func roomWithoutAnEnd() {
        #expect(StorePlace.bytes(blocks: 3, of: 4096) == 12_288)
        #expect(StorePlace.bytes(blocks: .max, of: 4096) == .max)
    }

    @Test func slowStores() {
        #expect(StorePlace.latency(2.04, .none).level == .ok)
        #expect(StorePlace.latency(2.04, .none).text.contains("2.0 ms"))
        #expect(StorePlace.latency(80, .none).level == .warn)
    }
}
