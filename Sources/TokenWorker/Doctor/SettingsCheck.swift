// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Glibc

/// What is to be said of the settings by themselves.
struct SettingsCheck {
    /// Variables of this program that are no settings of a worker.
    private static let otherVariables: Set<String> = ["AGORA_TOKEN_CONFIG", "AGORA_TOKEN_MANAGEMENT"]

    private let sources: SettingSources

    init(_ sources: SettingSources) { self.sources = sources }

    var diagnoses: [Diagnosis] {
        var found = faults
        found += unknownVariables
        found += overridden
        if let value = try? sources.value(of: .audit), case .file(let path)? = try? AuditTarget(value),
            !Self.isAppendable(path)
        {
            found.append(
                Diagnosis(
                    .fail, .settings, "the audit's file \(path) cannot be written by this user, or is a folder",
                    advice: "name a file in a folder of the worker's own: without an audit nothing is signed"))
        }
        if let lifetime: UInt32 = try? sources.integer(.defaultLifetime, in: 1...86_400), lifetime < 60 {
            found.append(
                Diagnosis(
                    .warn, .settings, "tokens live \(lifetime) s by default: there is little time to renew them",
                    advice: "set \(Setting.defaultLifetime.key) to a minute or more"))
        }
        return found.isEmpty ? [Diagnosis(.ok, .settings, "complete, and none contradicts another")] : found
    }

    /// The corresponding C function is `access`.
    private static func isAppendable(_ path: String) -> Bool {
        if unsafe access(path, F_OK) == 0 {
            // Only a folder has something inside.
            return unsafe access(path, W_OK) == 0 && access("\(path)/.", F_OK) != 0
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        return unsafe access(folder, W_OK) == 0
    }

    private var faults: [Diagnosis] {
        do throws(ConfigurationError) {
            _ = try WorkerConfiguration(sources)
            return []
        } catch {
            return [
                Diagnosis(
                    .fail, .settings, error.description, advice: "mend it: a worker does not start until it is right")
            ]
        }
    }

    /// Variables that look like settings, and are read by nobody.
    private var unknownVariables: [Diagnosis] {
        let settings = Setting.all + Setting.gateway
        let secrets = settings.filter(\.isSecret).map { "\($0.variable)_FILE" }
        let known = Self.otherVariables.union(settings.map(\.variable)).union(secrets)
        return sources.environment.keys.sorted()
            .filter { ($0.hasPrefix("AGORA_TOKEN_") || $0.hasPrefix("AGORA_APP_")) && !known.contains($0) }
            .map { name in
                Diagnosis(
                    .warn, .settings, "\(name) is set, and is no setting",
                    advice: "unset it, or correct its name: agora-token config show lists the settings")
            }
    }

    /// Values of the file that something nearer hides.
    private var overridden: [Diagnosis] {
        Setting.all.compactMap { setting in
            let key = sources.file.values[setting.key] != nil ? setting.key : "\(setting.key)File"
            guard sources.file.values[key] != nil, let value = try? sources.value(of: setting), value.origin != key
            else { return nil }
            return Diagnosis(
                .warn, .settings, "\(key) in the file does not count: \(value.origin) is nearer",
                advice: "keep it in one of the two places")
        }
    }
}
