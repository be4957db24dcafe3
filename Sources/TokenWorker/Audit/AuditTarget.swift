// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Where the audit's lines go.
package enum AuditTarget: Sendable, Hashable {
    /// Nowhere: there is no audit.
    case off
    /// Standard output.
    case standardOutput
    /// The end of a file.
    case file(path: String)

    /// Reads `off`, `stdout` or the path of a file.
    ///
    /// - Throws: ``ConfigurationError`` for a path that cannot be one.
    package init(_ value: SettingSources.Value) throws(ConfigurationError) {
        switch value.text {
        case "off": self = .off
        case "stdout", "-": self = .standardOutput
        default:
            guard !value.text.isEmpty, !value.text.utf8.contains(0), !value.text.hasSuffix("/") else {
                throw ConfigurationError(value.origin, "must be the path of a file, stdout or off")
            }
            self = .file(path: value.text)
        }
    }
}

extension AuditTarget {
    /// Opens it; nil where there is no audit.
    ///
    /// - Throws: ``ConfigurationError`` that names the setting when the file cannot be opened.
    func open(_ origin: String?, log: Log) throws(ConfigurationError) -> AuditTrail? {
        guard self != .off else { return nil }
        do throws(AppendedFile.Failure) {
            return try AuditTrail(self, log: log)
        } catch {
            throw ConfigurationError(origin ?? Setting.audit.variable, "\(self): \(error.reason)")
        }
    }

    func openFile() throws(AppendedFile.Failure) -> AppendedFile {
        if case .file(let path) = self { try AppendedFile(path: path) } else { AppendedFile(standardOutput: ()) }
    }
}

extension AuditTarget: CustomStringConvertible {
    package var description: String {
        switch self {
        case .off: "off"
        case .standardOutput: "stdout"
        case .file(let path): path
        }
    }
}
