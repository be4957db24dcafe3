// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken

extension Projects {
    /// Reads the projects: one by flags or environment, or those of the file.
    ///
    /// - Throws: ``ConfigurationError`` when there is none, or when one is incomplete, malformed or given twice.
    package init(_ sources: SettingSources) throws(ConfigurationError) {
        let appID = try sources.value(of: .appID)
        let certificate = try sources.value(of: .certificate)
        guard appID == nil, certificate == nil, !sources.file.projects.isEmpty else {
            if let origin = (appID ?? certificate)?.origin, !sources.file.projects.isEmpty {
                throw ConfigurationError(origin, "is set beside the file's projects; use one of the two")
            }
            let project = try Self.project(
                appID, certificate, where: Setting.appID.variable, Setting.certificate.variable)
            self.init([project], standard: project)
            return
        }
        var all: [Project] = []
        var standard: Project?
        for (index, entry) in sources.file.projects.enumerated() {
            let project = try Self.project(entry, name: "projects[\(index)]")
            guard !all.contains(where: { $0.name == project.name }) else {
                throw ConfigurationError("projects[\(index)].appId", "\(project.name) is already configured")
            }
            all.append(project)
            if entry.isDefault {
                guard standard == nil else {
                    throw ConfigurationError("projects[\(index)].default", "another project is the default already")
                }
                standard = project
            }
        }
        self.init(all, standard: standard ?? (all.count == 1 ? all[0] : nil))
    }

    private static func project(
        _ entry: ConfigurationFile.Project, name: String
    ) throws(ConfigurationError) -> Project {
        var certificate = entry.certificate.map { SettingSources.Value(text: $0, origin: "\(name).certificate") }
        if let path = entry.certificateFile {
            let origin = "\(name).certificateFile"
            if certificate != nil { throw ConfigurationError(origin, "is set beside certificate; set one of the two") }
            certificate = .init(text: try SettingSources.secret(at: path, origin: origin), origin: origin)
        }
        let appID = entry.appID.map { SettingSources.Value(text: $0, origin: "\(name).appId") }
        return try project(appID, certificate, where: "\(name).appId", "\(name).certificate")
    }

    private static func project(
        _ appID: SettingSources.Value?, _ certificate: SettingSources.Value?, where appIDName: String,
        _ certificateName: String
    ) throws(ConfigurationError) -> Project {
        guard let appID else {
            throw ConfigurationError(appIDName, "is missing; it is the project's App ID, 32 hexadecimal characters")
        }
        guard let certificate else {
            throw ConfigurationError(
                certificateName, "is missing; it is the project's App Certificate, 32 hexadecimal characters")
        }
        let id: AppID
        do { id = try AppID(appID.text) } catch { throw ConfigurationError(appID.origin, "\(error)") }
        let secret: AppCertificate
        do {
            secret = try AppCertificate(certificate.text)
        } catch {
            throw ConfigurationError(certificate.origin, "\(error)")
        }
        return Project(appID: id, certificate: secret)
    }
}
