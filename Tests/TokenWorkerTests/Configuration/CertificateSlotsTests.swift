// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@testable import TokenWorker

/// Two certificates for a project, one of which signs.
@Suite struct CertificateSlotsTests {
    private static let id = "970CA35de60c44645bbae8a215061b33"
    private static let one = "5CFd2fd1755d40ecb72977518be15d3b"
    private static let two = "0123456789abcdef0123456789abcdef"

    private func project(_ entry: String) throws -> Project {
        let text = "{projects: [{appId: '\(Self.id)', \(entry)}]}"
            .replacing("ONE", with: "'\(Self.one)'").replacing("TWO", with: "'\(Self.two)'")
        let file = try ConfigurationFile(text: Array(text.utf8), name: "test.json5")
        return try #require(try Projects(SettingSources(file: file)).standard)
    }

    @Test(arguments: [
        ("certificate: ONE", ProjectCertificate.Slot.primary, 1),
        ("certificate: ONE, secondaryCertificate: TWO", .primary, 2),
        ("certificate: ONE, secondaryCertificate: TWO, activeCertificate: 'primary'", .primary, 2),
        ("certificate: ONE, secondaryCertificate: TWO, activeCertificate: 'secondary'", .secondary, 2),
        ("secondaryCertificate: TWO", .secondary, 1),
        ("certificate: ONE, secondaryCertificate: ONE", .primary, 1),
    ]) func oneSigns(entry: String, active: ProjectCertificate.Slot, count: Int) throws {
        let project = try project(entry)
        #expect(project.active.slot == active)
        #expect(project.certificates.count == count)
        #expect(project.certificate == (try AppCertificate(active == .primary ? Self.one : Self.two)))
        for certificate in project.certificates {
            #expect(project.certificate(of: certificate.fingerprint) == certificate.value)
        }
        #expect(project.certificate(of: "0000000000000000") == nil)
    }

    @Test(arguments: [
        ("certificate: ONE, activeCertificate: 'secondary'", "projects[0].activeCertificate"),
        ("certificate: ONE, activeCertificate: 'old'", "projects[0].activeCertificate"),
        ("certificate: ONE, activeCertificate: ONE", "projects[0].activeCertificate"),
        ("certificate: ONE, secondaryCertificate: 'short'", "projects[0].secondaryCertificate"),
        ("certificate: ONE, secondaryCertificateFile: '/nowhere/x'", "projects[0].secondaryCertificateFile"),
        (
            "certificate: ONE, secondaryCertificate: TWO, secondaryCertificateFile: '/x'",
            "projects[0].secondaryCertificateFile"
        ),
        ("activeCertificate: 'primary'", "projects[0].certificate"),
    ]) func theSettingIsNamed(entry: String, setting: String) {
        #expect {
            try project(entry)
        } throws: { error in
            (error as? ConfigurationError)?.setting == setting && !"\(error)".contains(Self.one)
        }
    }

    @Test func theEnvironmentHasBothSlots() throws {
        let sources = SettingSources(environment: [
            "AGORA_APP_ID": Self.id, "AGORA_APP_CERTIFICATE": Self.one, "AGORA_APP_SECONDARY_CERTIFICATE": Self.two,
            "AGORA_APP_ACTIVE_CERTIFICATE": "secondary",
        ])
        let project = try #require(try Projects(sources).standard)
        #expect(project.active.slot == .secondary && project.other?.slot == .primary)
    }

    @Test func whatHasChangedIsTold() throws {
        let first = try project("certificate: ONE")
        let both = try project("certificate: ONE, secondaryCertificate: TWO")
        let turned = try project("certificate: ONE, secondaryCertificate: TWO, activeCertificate: 'secondary'")
        let last = try project("secondaryCertificate: TWO")
        let stages = [first, both, turned, last].map { Projects([$0], standard: $0) }
        let (old, new) = (first.fingerprint, last.fingerprint)
        #expect(stages[1].changes(from: stages[0]) == ["\(Self.id) accepts \(new) as well"])
        #expect(stages[2].changes(from: stages[1]) == ["\(Self.id) signs with \(new), secondary"])
        #expect(stages[3].changes(from: stages[2]) == ["\(Self.id) accepts \(old) no more"])
        #expect(stages[3].changes(from: stages[3]).isEmpty)
        #expect(Projects([], standard: nil).changes(from: stages[0]) == ["\(Self.id) is gone", "the default is none"])
    }
}
