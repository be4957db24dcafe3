// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@testable import LeaseStore
@testable import TokenWorker

/// When an old certificate can go.
@Suite struct CertificateReportTests {
    private static let now: Int64 = 1_790_000_000
    private static let day: Int64 = 86_400
    private let project: Project
    private let projects: Projects

    init() throws {
        project = Project(
            appID: try AppID("970CA35de60c44645bbae8a215061b33"),
            active: ProjectCertificate(slot: .secondary, value: try AppCertificate("0123456789abcdef0123456789abcdef")),
            other: ProjectCertificate(slot: .primary, value: try AppCertificate("5CFd2fd1755d40ecb72977518be15d3b")))
        projects = Projects([project], standard: project)
    }

    private var old: String { project.other?.fingerprint ?? "" }
    private var active: String { project.fingerprint }

    private func record(_ worker: String, _ certificate: String, from first: Int64, to last: Int64)
        -> CertificateUse.Record
    {
        .init(
            signer: Signer(worker: worker, appID: project.name, certificate: certificate),
            firstAt: Self.now + first, lastAt: Self.now + last)
    }

    private func entry(_ state: CertificateReport.State, _ use: CertificateUse) throws -> CertificateReport.Entry {
        try #require(CertificateReport(projects, use: use).entries.first { $0.state == state })
    }

    @Test func theActiveOneStays() throws {
        let use = CertificateUse(
            now: Self.now,
            leases: [.init(certificate: active, live: 7, lastEnd: Self.now + 50, lastIssue: Self.now - 5)],
            records: [record("a/1", active, from: -100, to: -1)])
        let entry = try entry(.active, use)
        #expect(entry.liveLeases == 7 && entry.slot == .secondary && entry.signers == ["a/1"])
        #expect(entry.release == .never)
    }

    /// Tokens without a lease, and replaced ones, live for a day after the last change.
    @Test func itIsTheLastChangeAndADay() throws {
        let use = CertificateUse(
            now: Self.now,
            leases: [.init(certificate: old, live: 2, lastEnd: Self.now + 3600, lastIssue: Self.now - 400)],
            records: [
                record("a/1", old, from: -9000, to: -300), record("a/1", active, from: -300, to: -3),
                record("b/1", old, from: -9000, to: -200), record("b/1", active, from: -200, to: -2),
            ])
        let entry = try entry(.old, use)
        #expect(entry.liveLeases == 2 && entry.signers.isEmpty)
        #expect(entry.lastUse == Self.now - 200)
        #expect(entry.release == .at(Self.now - 200 + Self.day))
    }

    @Test func orTheEndOfTheLastLease() throws {
        let end = Self.now + 2 * Self.day
        let use = CertificateUse(
            now: Self.now, leases: [.init(certificate: old, live: 1, lastEnd: end, lastIssue: Self.now - 10)])
        #expect(try entry(.old, use).release == .at(end))
    }

    @Test func notWhileAWorkerSignsWithIt() throws {
        let use = CertificateUse(
            now: Self.now,
            records: [
                record("a/1", old, from: -9000, to: -300), record("a/1", active, from: -300, to: -3),
                record("b/1", old, from: -9000, to: -20),
            ])
        let entry = try entry(.old, use)
        #expect(entry.signers == ["b/1"])
        #expect(entry.release == .afterWorkers)
    }

    /// At the moment of the change both are noted in one second.
    @Test(arguments: [-9000, 0]) func whoHasJustChangedSignsWithTheNewOne(start: Int64) throws {
        let use = CertificateUse(
            now: Self.now,
            records: [record("a/1", old, from: start, to: 0), record("a/1", active, from: 0, to: 0)])
        #expect(try entry(.old, use).signers.isEmpty)
        #expect(try entry(.active, use).signers == ["a/1"])
    }

    /// A killed worker may have signed until just before its next word.
    @Test func aWorkerThatWentIsGivenItsPeriod() throws {
        let use = CertificateUse(now: Self.now, records: [record("a/1", old, from: -9000, to: -1000)])
        #expect(try entry(.old, use).release == .at(Self.now - 1000 + 30 + Self.day))
        let later = CertificateUse(now: Self.now, records: [record("a/1", old, from: -99_000, to: -30 - Self.day)])
        #expect(try entry(.old, later).release == .now)
    }

    @Test func whatNobodyUsesCanGoAtOnce() throws {
        let entry = try entry(.unused, CertificateUse(now: Self.now))
        #expect(entry.slot == .primary && entry.release == .now)
    }

    @Test func whatIsNotConfiguredIsShownWhileItMatters() throws {
        let use = CertificateUse(
            now: Self.now,
            leases: [.init(certificate: "feedfeedfeedfeed", live: 3, lastEnd: Self.now + 9, lastIssue: Self.now - 9)])
        let entry = try entry(.removed, use)
        #expect(entry.project == nil && entry.slot == nil && entry.liveLeases == 3)
        let late = CertificateUse(
            now: Self.now, records: [record("a/1", "feedfeedfeedfeed", from: -999_999, to: -2 * Self.day)])
        #expect(CertificateReport(projects, use: late).entries.count == 2)
    }

    @Test func withoutAStoreNothingIsKnown() {
        let report = CertificateReport(projects, use: nil)
        #expect(report.entries.map(\.release) == [.never, .unknown])
        #expect(report.now == nil)
    }
}
