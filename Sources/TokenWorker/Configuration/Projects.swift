// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AgoraToken

/// One Agora project that tokens are issued for.
package struct Project: Sendable, Hashable {
    /// The App ID.
    package let appID: AppID
    /// The App ID as text, as messages carry it.
    package let name: String
    /// The certificate that signs.
    package let active: ProjectCertificate
    /// The one in the other slot, whose tokens are accepted as well.
    package let other: ProjectCertificate?

    /// A project; an `other` that equals the active certificate is left out.
    package init(appID: AppID, active: ProjectCertificate, other: ProjectCertificate? = nil) {
        self.appID = appID
        self.active = active
        self.other = other?.value == active.value ? nil : other
        name = appID.description
    }

    /// A project with one certificate.
    package init(appID: AppID, certificate: AppCertificate) {
        self.init(appID: appID, active: ProjectCertificate(slot: .primary, value: certificate))
    }

    /// The certificate that signs.
    package var certificate: AppCertificate { active.value }

    /// What leases remember of the certificate that signs.
    package var fingerprint: String { active.fingerprint }

    /// Both certificates, the one that signs first.
    package var certificates: [ProjectCertificate] { [active] + (other.map { [$0] } ?? []) }

    /// The certificate with a fingerprint, while it is in one of the slots.
    package func certificate(of fingerprint: String) -> AppCertificate? {
        if active.fingerprint == fingerprint { return active.value }
        return other?.fingerprint == fingerprint ? other?.value : nil
    }

    /// Whether one of the certificates passes a test; the active one is tried first.
    func hasCertificate(where test: (AppCertificate) -> Bool) -> Bool {
        test(active.value) || other.map { test($0.value) } ?? false
    }
}

/// A certificate in one of a project's two slots.
package struct ProjectCertificate: Sendable, Hashable {
    /// Where it is configured.
    package let slot: Slot
    /// The certificate.
    package let value: AppCertificate
    /// What leases, logs and people know it by: 16 hexadecimal digits that do not give it away.
    package let fingerprint: String

    /// The two slots, named as in Agora's console.
    package enum Slot: String, Sendable, Hashable, CaseIterable {
        case primary
        case secondary
    }

    package init(slot: Slot, value: AppCertificate) {
        self.slot = slot
        self.value = value
        fingerprint = value.fingerprint
    }
}

/// The configured projects.
package struct Projects: Sendable, Hashable {
    /// In the order of the configuration.
    package let all: [Project]
    /// The one for requests that name none.
    package let standard: Project?

    package init(_ all: [Project], standard: Project?) {
        self.all = all
        self.standard = standard
    }

    /// The certificates that may have signed a token of each project.
    package var certificates: [AppID: [AppCertificate]] {
        Dictionary(grouping: all, by: \.appID).mapValues { $0.flatMap(\.certificates).map(\.value) }
    }

    /// The project of an App ID, or of `nil` the default one.
    package func project(_ appID: String?) -> Project? {
        guard let appID else { return standard }
        return all.first { $0.name == appID }
    }
}
