// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Where leases are kept.
package enum StoreLocation: Sendable, Hashable, CustomStringConvertible {
    /// Nowhere: tokens only, no notices.
    case none
    /// One SQLite file on a local disk.
    case sqlite(path: String)

    /// Reads `none` or `sqlite:PATH`.
    ///
    /// - Throws: ``ConfigurationError`` for anything else.
    package init(_ value: SettingSources.Value) throws(ConfigurationError) {
        if value.text == "none" {
            self = .none
            return
        }
        let scheme = value.text.prefix { $0 != ":" }
        guard scheme == "sqlite", value.text.count > "sqlite:".count else {
            // A database URL may hold a password: only its scheme is repeated.
            throw ConfigurationError(
                value.origin, "\"\(scheme)…\" is not a store; give sqlite:PATH or none")
        }
        let path = String(value.text.dropFirst("sqlite:".count))
        guard !path.utf8.contains(0) else { throw ConfigurationError(value.origin, "the path holds a NUL byte") }
        self = .sqlite(path: path)
    }

    /// The location as it is configured.
    package var description: String {
        switch self {
        case .none: "none"
        case .sqlite(let path): "sqlite:\(path)"
        }
    }

    /// The file in the state directory: what systemd gives, else the user's.
    package static func standard(_ environment: [String: String]) throws(ConfigurationError) -> StoreLocation {
        if let directory = environment["STATE_DIRECTORY"], !directory.isEmpty {
            return .sqlite(path: "\(directory)/leases.db")
        }
        if let directory = environment["XDG_STATE_HOME"], !directory.isEmpty {
            return .sqlite(path: "\(directory)/agora-token/leases.db")
        }
        guard let home = environment["HOME"], !home.isEmpty else {
            throw ConfigurationError("DATABASE_URL", "is missing, and there is no HOME to put leases.db into")
        }
        return .sqlite(path: "\(home)/.local/state/agora-token/leases.db")
    }
}
