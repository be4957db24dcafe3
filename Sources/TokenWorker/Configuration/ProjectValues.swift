// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
internal import TokenMessages

/// The values of one project as they were set, each with the name of its setting, before they are checked.
struct ProjectValues: Sendable {
    var appID: SettingSources.Value?
    var primary: SettingSources.Value?
    var secondary: SettingSources.Value?
    var active: SettingSources.Value?
    /// How to name what is missing.
    let appIDName: String
    let certificateName: String

    /// Those of the flags, the environment and the single keys of the file.
    ///
    /// - Throws: ``ConfigurationError`` when a file of a secret cannot be read.
    init(_ sources: SettingSources) throws(ConfigurationError) {
        appID = try sources.value(of: .appID)
        primary = try sources.value(of: .certificate)
        secondary = try sources.value(of: .secondaryCertificate)
        active = try sources.value(of: .activeCertificate)
        appIDName = Setting.appID.variable
        certificateName = Setting.certificate.variable
    }

    /// Those of an entry of the file's projects; `name` is its place.
    ///
    /// - Throws: ``ConfigurationError`` when a file of a secret cannot be read, or a secret is there in two forms.
    init(_ entry: ConfigurationFile.Project, name: String) throws(ConfigurationError) {
        appIDName = "\(name).appId"
        certificateName = "\(name).certificate"
        appID = entry.appID.map { .init(text: $0, origin: "\(name).appId") }
        primary = try Self.secret(entry.certificate, file: entry.certificateFile, "\(name).certificate")
        secondary = try Self.secret(
            entry.secondaryCertificate, file: entry.secondaryCertificateFile, "\(name).secondaryCertificate")
        active = entry.activeCertificate.map { .init(text: $0, origin: "\(name).activeCertificate") }
    }

    /// The first of the values that are set, for complaints.
    var anyOrigin: String? { [appID, primary, secondary, active].compactMap { $0?.origin }.first }

    /// The project.
    ///
    /// - Throws: ``ConfigurationError`` that names what is missing or malformed.
    func project() throws(ConfigurationError) -> Project {
        guard let appID else {
            throw ConfigurationError(appIDName, "is missing; it is the project's App ID, 32 hexadecimal characters")
        }
        let id: AppID
        do { id = try AppID(appID.text) } catch { throw ConfigurationError(appID.origin, "\(error)") }
        guard primary != nil || secondary != nil else {
            throw ConfigurationError(
                certificateName, "is missing; it is the project's App Certificate, 32 hexadecimal characters")
        }
        var slots: [ProjectCertificate] = []
        if let primary { slots.append(try Self.certificate(.primary, primary)) }
        if let secondary { slots.append(try Self.certificate(.secondary, secondary)) }
        guard let active else { return Project(appID: id, active: slots[0], other: slots.dropFirst().first) }
        guard let slot = ProjectCertificate.Slot(rawValue: active.text) else {
            throw ConfigurationError(active.origin, "\(Shown.quoted(active.text)) is neither primary nor secondary")
        }
        guard let signer = slots.first(where: { $0.slot == slot }) else {
            throw ConfigurationError(active.origin, "is \(slot.rawValue), but that slot holds no certificate")
        }
        return Project(appID: id, active: signer, other: slots.first { $0.slot != slot })
    }

    private static func certificate(
        _ slot: ProjectCertificate.Slot, _ value: SettingSources.Value
    ) throws(ConfigurationError) -> ProjectCertificate {
        do {
            return ProjectCertificate(slot: slot, value: try AppCertificate(value.text))
        } catch {
            throw ConfigurationError(value.origin, "\(error)")
        }
    }

    private static func secret(
        _ text: String?, file: String?, _ key: String
    ) throws(ConfigurationError) -> SettingSources.Value? {
        guard let file else { return text.map { .init(text: $0, origin: key) } }
        let origin = "\(key)File"
        guard text == nil else {
            throw ConfigurationError(
                origin, "is set beside \(key.split(separator: ".").last ?? ""); set one of the two")
        }
        return .init(text: try SettingSources.secret(at: file, origin: origin), origin: origin)
    }
}
