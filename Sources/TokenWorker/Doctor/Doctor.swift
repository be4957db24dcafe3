// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore
internal import Platform

/// Looks at everything that a worker needs, and changes nothing.
package struct Doctor {
    let sources: SettingSources
    /// The path of the configuration file, where one is read.
    let configurationFile: String?
    let management: ManagementClient?

    /// Prepares an examination.
    ///
    /// - Parameters:
    ///   - sources: what a worker would be configured by.
    ///   - configurationFile: the file that is among them.
    ///   - management: the broker's management API, where it may be asked.
    package init(_ sources: SettingSources, configurationFile: String?, management: ManagementClient?) {
        self.sources = sources
        self.configurationFile = configurationFile
        self.management = management
    }

    /// Looks at one thing after the other, each as far as it can be reached.
    ///
    /// - Parameter tell: hears each finding at once, since some take a while.
    package func examine(_ tell: (Diagnosis) -> Void) {
        var clocks = ClockReadings(machine: WallClock.milliseconds())
        SettingsCheck(sources).diagnoses.forEach(tell)
        let projects = try? Projects(sources)
        let store = examineStore(&clocks, tell)
        if let projects {
            CertificateCheck.diagnoses(projects, report: store.map { CertificateReport(projects, use: $0) })
                .forEach(tell)
        }
        FilePermissions.diagnoses(sources, configurationFile: configurationFile).forEach(tell)
        examineBroker(&clocks, tell)
        clocks.diagnoses.forEach(tell)
        if let projects { ClockReadings.tokenDiagnoses(projects, clocks).forEach(tell) }
        if let policy = try? Policy(sources, projects: projects) { PolicyCheck.diagnoses(policy).forEach(tell) }
    }
}
