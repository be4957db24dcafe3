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
        let scheme = value.text.prefix { $0 != ":" && $0 != "=" }
        if value.text.hasPrefix("postgres://") || value.text.hasPrefix("postgresql://") {
            guard !value.text.utf8.contains(0) else {
                throw ConfigurationError(value.origin, "the URL holds a NUL byte")
            }
            guard Self.place(of: value.text) != nil else {
                throw ConfigurationError(
                    value.origin,
                    "the URL does not read postgres://USER:PASSWORD@HOST:PORT/DATABASE with a number as PORT; in user and "
                        + "password / : @ ? # and % have to be percent-encoded, / as %2F for instance")
            }
            self = .postgreSQL(url: value.text)
            return
        }
        guard scheme == "sqlite", value.text.count > "sqlite:".count else {
            // It may hold a password: only what a URL or libpq's own form begins with is repeated.
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
        case .postgreSQL(let url): "postgres://" + (Self.place(of: url) ?? "…")
        }
    }

    /// Host and database of a URL, without the user, the password and the parameters.
    ///
    /// It is nil where a part of the password could be taken for something else, by libpq too, whose complaints would
    /// repeat it.
    private static func place(of url: String) -> String? {
        var rest = url.drop { $0 != "/" }.dropFirst(2)
        if let end = rest.firstIndex(where: { "@/".contains($0) }), rest[end] == "@" {
            rest = rest[rest.index(after: end)...]
        }
        let place = rest.prefix { $0 != "?" }
        let firstParameter = rest.dropFirst(place.count).prefix { $0 != "=" }
        guard !place.contains("@"), !firstParameter.contains("@") else { return nil }
        for host in place.prefix(while: { $0 != "/" }).split(separator: ",") {
            let port = (host.lastIndex(of: "]").map { host[$0...] } ?? host).split(separator: ":").dropFirst()
            guard port.count <= 1, port.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }) else { return nil }
        }
        return String(place)
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
