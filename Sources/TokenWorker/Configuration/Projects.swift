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
    package let certificate: AppCertificate
    /// What leases remember of the certificate.
    package let fingerprint: String

    package init(appID: AppID, certificate: AppCertificate) {
        self.appID = appID
        self.certificate = certificate
        name = appID.description
        fingerprint = certificate.fingerprint
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

    /// The project of an App ID, or of `nil` the default one.
    package func project(_ appID: String?) -> Project? {
        guard let appID else { return standard }
        return all.first { $0.name == appID }
    }
}
