// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Where leases are kept.
package enum StoreLocation: Sendable, Hashable, CustomStringConvertible {
    /// Nowhere: tokens only, no notices.
    case none
    /// One SQLite file on a local disk.
    case sqlite(path: String)
    /// A PostgreSQL database, for several workers; the URL may hold a password.
    case postgreSQL(url: String)

    /// Reads `none`, `sqlite:PATH` or `postgres://…`.
    ///
    /// - Throws: ``ConfigurationError`` for anything else.
    package init(_ value: SettingSources.Value) throws(ConfigurationError) {
        if value.text == "none" {
            self = .none
            return
        }
        let scheme = value.text.prefix { $0 != ":" }
        if value.text.hasPrefix("postgres://") || value.text.hasPrefix("postgresql://") {
            guard !value.text.utf8.contains(0) else {
                throw ConfigurationError(value.origin, "the URL holds a NUL byte")
            }
            self = .postgreSQL(url: value.text)
            return
        }
        guard scheme == "sqlite", value.text.count > "sqlite:".count else {
            // A database URL may hold a password: only its scheme is repeated.
            throw ConfigurationError(
                value.origin, "\"\(scheme)…\" is not a store; give sqlite:PATH, postgres://… or none")
        }
        let path = String(value.text.dropFirst("sqlite:".count))
        guard !path.utf8.contains(0) else { throw ConfigurationError(value.origin, "the path holds a NUL byte") }
        self = .sqlite(path: path)
    }

    /// The location as it is configured, of a URL no more than where it leads.
    package var description: String {
        switch self {
        case .none: "none"
        case .sqlite(let path): "sqlite:\(path)"
        case .postgreSQL(let url): "postgres://" + Self.place(of: url)
        }
    }

    /// Host and database of a URL, without the user, the password and the parameters.
    private static func place(of url: String) -> String {
        let rest = url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "?" }
        let authority = rest.prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(rest) }
        return String(rest[rest.index(after: at)...])
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
