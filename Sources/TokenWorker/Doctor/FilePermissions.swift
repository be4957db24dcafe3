// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Glibc

/// What is to be said of the files that hold secrets.
enum FilePermissions {
    /// Looks at every file that a secret is read from, and at the configuration file where it holds one itself.
    static func diagnoses(_ sources: SettingSources, configurationFile: String?) -> [Diagnosis] {
        var paths = (Setting.all + Setting.gateway).filter(\.isSecret).compactMap { sources.file(of: $0) }
        for project in sources.file.projects {
            paths += [project.certificateFile, project.secondaryCertificateFile].compactMap(\.self)
        }
        if let configurationFile, sources.file.holdsSecrets { paths.append(configurationFile) }
        var seen: Set<String> = []
        return paths.filter { seen.insert($0).inserted }.compactMap { path in
            mode(of: path).flatMap { diagnosis(path, mode: $0) }
        }
    }

    /// What is wrong with a file of these permission bits.
    static func diagnosis(_ path: String, mode: UInt32) -> Diagnosis? {
        let digits = String(mode & 0o777, radix: 8)
        if mode & 0o022 != 0 {
            return Diagnosis(
                .warn, .certificates, "\(path) can be changed by others than its owner (mode \(digits))",
                advice: "chmod 640 \(path)")
        }
        guard mode & 0o004 != 0 else { return nil }
        return Diagnosis(
            .warn, .certificates, "\(path) holds a secret and can be read by everybody (mode \(digits))",
            advice: "chmod 640 \(path), with the worker's group")
    }

    /// The corresponding C function is `stat`.
    private static func mode(of path: String) -> UInt32? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? UInt32(status.st_mode) : nil
    }
}

extension ConfigurationFile {
    /// Whether a secret stands in the file itself.
    fileprivate var holdsSecrets: Bool {
        (Setting.all + Setting.gateway).contains { $0.isSecret && values[$0.key] != nil }
            || projects.contains { $0.certificate != nil || $0.secondaryCertificate != nil }
    }
}
