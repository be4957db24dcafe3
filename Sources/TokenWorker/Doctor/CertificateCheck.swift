// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
internal import TokenMessages

/// What is to be said of the certificates.
enum CertificateCheck {
    /// Looks at the certificates of all projects.
    ///
    /// - Parameters:
    ///   - projects: what is configured; the format was checked.
    ///   - report: what rests on them, where the store could be asked.
    /// - Returns: what is wrong with them, or that nothing is.
    static func diagnoses(_ projects: Projects, report: CertificateReport?) -> [Diagnosis] {
        var found: [Diagnosis] = []
        var owners: [String: String] = [:]
        for project in projects.all {
            for certificate in project.certificates {
                let name = "the \(certificate.slot.rawValue) certificate of \(project.name)"
                if isAppID(certificate.value, of: projects) {
                    found.append(
                        Diagnosis(
                            .fail, .certificates, "\(name) is an App ID",
                            advice: "copy the certificate from Agora's console: it stands below the App ID"))
                }
                if let owner = owners[certificate.fingerprint] {
                    found.append(
                        Diagnosis(
                            .fail, .certificates, "\(name) is that of \(owner) as well",
                            advice: "each project has certificates of its own: copy this one again"))
                }
                owners[certificate.fingerprint] = project.name
            }
        }
        if projects.standard == nil {
            found.append(
                Diagnosis(
                    .warn, .certificates, "no project is the default: every request has to name its appId",
                    advice: "give one project default: true"))
        }
        for entry in report?.entries ?? [] { if let diagnosis = diagnosis(entry) { found.append(diagnosis) } }
        if found.isEmpty {
            let count = projects.all.reduce(0) { $0 + $1.certificates.count }
            found.append(
                Diagnosis(
                    .ok, .certificates, "well formed: \(count) for \(projects.all.map(\.name).joined(separator: ", "))")
            )
        }
        return found
    }

    private static func isAppID(_ certificate: AppCertificate, of projects: Projects) -> Bool {
        projects.all.contains { project in
            [project.name, project.name.lowercased(), project.name.uppercased()]
                .contains { (try? AppCertificate($0)) == certificate }
        }
    }

    /// What a rotation has left to be done.
    private static func diagnosis(_ entry: CertificateReport.Entry) -> Diagnosis? {
        let name = "certificate \(entry.fingerprint) of \(entry.project ?? "an unknown project")"
        switch (entry.state, entry.release) {
        case (.old, .now):
            return Diagnosis(
                .warn, .certificates, "\(name) is old, and nothing rests on it any more",
                advice: "take it out of the configuration, send SIGHUP, and delete it at Agora")
        case (.old, .afterWorkers), (.removed, .afterWorkers):
            return Diagnosis(
                .warn, .certificates, "\(entry.signers.joined(separator: ", ")) still signs with the old \(name)",
                advice: "send SIGHUP to each of these workers, or start it anew")
        case (.old, .at(let moment)):
            return Diagnosis(
                .ok, .certificates,
                "\(name) is old, \(entry.liveLeases) leases rest on it; it can go at \(RFC3339.text(seconds: moment))")
        case (.removed, .at):
            guard entry.liveLeases > 0 else { return nil }
            return Diagnosis(
                .warn, .certificates, "\(entry.liveLeases) leases rest on \(name), which is not configured any more",
                advice: "put it into the free slot until agora-token certificates says that it can go")
        default: return nil
        }
    }
}
