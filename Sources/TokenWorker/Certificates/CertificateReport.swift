// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import LeaseStore

/// What rests on each certificate, and when an old one can go.
package struct CertificateReport: Sendable, Hashable {
    /// How long a token can live at most, in seconds: some have no lease that would tell.
    package static let longestLifetime: Int64 = 86_400
    /// How long after it was last heard of a worker counts as signing, in seconds.
    package static let patience: Int64 = 3 * SignerDiary.period.components.seconds

    /// In the order of the configuration; at the end those that only the store knows.
    package let entries: [Entry]
    /// The store's clock in seconds since 1970; `nil` without a store.
    package let now: Int64?

    /// One certificate.
    package struct Entry: Sendable, Hashable {
        /// The project; `nil` where no worker says which.
        package var project: String?
        /// The slot that it is in; `nil` where it is not configured.
        package var slot: ProjectCertificate.Slot?
        package var fingerprint: String
        package var state: State
        /// How many live leases have a token of it.
        package var liveLeases = 0
        /// When the last of these ends, in seconds since 1970.
        package var lastEnd: Int64?
        /// Until when somebody may have signed with it, in seconds since 1970.
        package var lastUse: Int64?
        /// The workers that still sign with it.
        package var signers: [String] = []
        /// When it can be taken away.
        package var release: Release
    }

    /// What a certificate is good for.
    package enum State: String, Sendable, Hashable {
        /// It signs.
        case active
        /// Its tokens are accepted; the other slot signs.
        case old
        /// It is configured beside the active one, and no token rests on it.
        case unused
        /// It is not configured any more, but leases rest on it.
        case removed
    }

    /// When a certificate can be taken away.
    package enum Release: Sendable, Hashable {
        /// Not while it signs.
        case never
        /// Not before these workers have read the configuration again.
        case afterWorkers
        /// From this second since 1970 on.
        case at(Int64)
        /// At once.
        case now
        /// So long after the last worker's change to the active one: there is no store that would know of it.
        case unknown
    }

    /// A report of these entries, for what is to be concluded from them.
    init(entries: [Entry]) {
        self.entries = entries
        now = nil
    }

    /// Makes the report.
    ///
    /// - Parameters:
    ///   - projects: what is configured.
    ///   - use: what the store knows; `nil` where there is none.
    package init(_ projects: Projects, use: CertificateUse?) {
        now = use?.now
        guard let use else {
            entries = projects.all.flatMap { project in
                project.certificates.map { certificate in
                    let isActive = certificate == project.active
                    return Entry(
                        project: project.name, slot: certificate.slot, fingerprint: certificate.fingerprint,
                        state: isActive ? .active : .old, release: isActive ? .never : .unknown)
                }
            }
            return
        }
        let active = Set(projects.all.map(\.fingerprint))
        var entries: [Entry] = []
        for project in projects.all {
            for certificate in project.certificates {
                var entry = Entry(
                    project: project.name, slot: certificate.slot, fingerprint: certificate.fingerprint,
                    state: certificate == project.active ? .active : .old, release: .never)
                entry.complete(use, active)
                entries.append(entry)
            }
        }
        let configured = Set(entries.map(\.fingerprint))
        let others = Set(use.leases.map(\.certificate) + use.records.map(\.signer.certificate))
        for fingerprint in others.subtracting(configured).sorted() {
            let project = use.records.first { $0.signer.certificate == fingerprint }?.signer.appID
            var entry = Entry(project: project, fingerprint: fingerprint, state: .removed, release: .never)
            entry.complete(use, active)
            if entry.release != .now { entries.append(entry) }
        }
        self.entries = entries
    }
}

extension CertificateReport.Entry {
    /// Adds what the store knows, and concludes from it.
    fileprivate mutating func complete(_ use: CertificateUse, _ active: Set<String>) {
        let leases = use.leases.first { $0.certificate == fingerprint }
        liveLeases = leases?.live ?? 0
        lastEnd = leases?.lastEnd
        let records = use.records.filter {
            $0.signer.certificate == fingerprint && (project == nil || $0.signer.appID == project)
        }
        signers = records.filter { use.isCurrent($0, active) && $0.lastAt >= use.now - CertificateReport.patience }
            .map(\.signer.worker)
        // Who is no longer heard of may have signed for a moment longer.
        let heard = records.map { record in
            use.isCurrent(record, active) ? record.lastAt + SignerDiary.period.components.seconds : record.lastAt
        }
        lastUse = (heard + (leases.map { [$0.lastIssue] } ?? [])).max()
        if state == .active { return }
        if state == .old, lastUse == nil { state = .unused }
        guard signers.isEmpty else {
            release = .afterWorkers
            return
        }
        let end = max(lastEnd ?? 0, lastUse.map { $0 + CertificateReport.longestLifetime } ?? 0)
        release = end > use.now ? .at(end) : .now
    }
}

extension CertificateUse {
    /// Whether a worker's last word for a project was this certificate.
    ///
    /// At a change it says both, the new one for the first time; where even that was in one second, the active one is
    /// taken for the new one.
    fileprivate func isCurrent(_ record: Record, _ active: Set<String>) -> Bool {
        func age(_ record: Record) -> (Int64, Int64, Int) {
            (record.lastAt, record.firstAt, active.contains(record.signer.certificate) ? 1 : 0)
        }
        return !records.contains { other in
            other.signer.worker == record.signer.worker && other.signer.appID == record.signer.appID
                && age(other) > age(record)
        }
    }
}
