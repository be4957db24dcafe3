// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Cuts a URL into its parts, still percent-encoded.
struct URLParts {
    private let text: String
    private(set) var path: Substring?
    private var query: Substring?

    init(_ text: String) {
        self.text = text
    }

    /// Whether the scheme is the encrypted one, and all that follows `://`.
    func scheme() throws(AMQPURLError) -> (isTLS: Bool, remainder: Substring) {
        for (prefix, isTLS) in [("amqp://", false), ("amqps://", true)]
        where text.prefix(prefix.count).lowercased() == prefix {
            return (isTLS, text.dropFirst(prefix.count))
        }
        throw .scheme
    }

    struct Authority {
        var user: Substring?
        var password: Substring?
        var host: Substring
        var port: Substring?
    }

    /// Splits off query and path, and takes the authority apart.
    mutating func authority(of remainder: Substring) -> Authority {
        var rest = remainder
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let slash = rest.firstIndex(of: "/") {
            path = rest[rest.index(after: slash)...]
            rest = rest[..<slash]
        }
        var authority = Authority(host: rest)
        // The last @ ends the user part, so that an unescaped one in a password does no harm.
        if let at = rest.lastIndex(of: "@") {
            let login = rest[..<at]
            rest = rest[rest.index(after: at)...]
            if let colon = login.firstIndex(of: ":") {
                authority.user = login[..<colon]
                authority.password = login[login.index(after: colon)...]
            } else {
                authority.user = login
            }
        }
        let hostEnd = rest.first == "[" ? rest.firstIndex(of: "]") : nil
        let searchStart = hostEnd ?? rest.startIndex
        if let colon = rest[searchStart...].firstIndex(of: ":") {
            authority.host = rest[..<colon]
            authority.port = rest[rest.index(after: colon)...]
        } else {
            authority.host = rest
        }
        return authority
    }

    /// The query's parameters in order.
    func parameters() throws(AMQPURLError) -> [(name: String, value: Substring)] {
        var parameters: [(name: String, value: Substring)] = []
        for pair in (query ?? "").split(separator: "&") {
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            let name = String(pair[..<equals])
            // The name goes into an error's text: a long one or one with control characters stays out.
            guard name.utf8.count <= 64, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
                throw .unknownParameter("with unusual characters")
            }
            parameters.append((name, pair[equals...].dropFirst()))
        }
        return parameters
    }
}
