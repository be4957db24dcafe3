// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenWorker

/// The web pages that may use the gateway from a browser.
///
/// A browser tells a page's origin with each request that the page makes to another one, and gives the answer to the
/// page only where the answer allows that origin. By itself it would still send the request: so one of an origin that is
/// not allowed is refused, before anything is signed for it.
struct AllowedOrigins: Sendable, Hashable {
    /// Whether every page may.
    private(set) var all = false
    private var list: Set<String> = []

    /// Allows no page but those of the gateway's own origin.
    init() {}

    /// Reads `*`, or origins such as `https://app.example.com` between spaces.
    ///
    /// - Throws: ``ConfigurationError`` that names what is no origin.
    init(_ value: SettingSources.Value) throws(ConfigurationError) {
        for word in value.text.split(separator: " ") {
            if word == "*" {
                all = true
                continue
            }
            let origin = word.lowercased()
            let rest = ["https://", "http://"].first(where: origin.hasPrefix).map { origin.dropFirst($0.count) }
            guard let rest, !rest.isEmpty, !rest.contains("/"), !rest.contains("@"), !rest.contains("*") else {
                throw ConfigurationError(
                    value.origin, "\"\(word)\" is no origin, such as https://app.example.com, and not *")
            }
            list.insert(origin)
        }
    }

    /// Whether a request may be served: it comes from no page, or from an allowed one, or one of the same origin.
    ///
    /// - Parameters:
    ///   - origin: the page's origin; nil where no browser tells one.
    ///   - host: the host that the request is for, as its client knows it.
    ///   - isForThisMachine: whether no secret is asked for. Then the host has to be this machine by a name that nobody
    ///     else can give: whoever owns any other can have it lead here, and its pages are of the same origin.
    /// - Returns: whether it may be.
    func admits(origin: String?, host: String?, isForThisMachine: Bool = false) -> Bool {
        guard let origin = origin?.lowercased() else { return true }
        if all || list.contains(origin) { return true }
        guard let host = host?.lowercased(), !isForThisMachine || Self.isThisMachine(host) else { return false }
        return origin == "https://\(host)" || origin == "http://\(host)"
    }

    /// Whether a host, with or without a port, is localhost or a loopback address.
    private static func isThisMachine(_ host: String) -> Bool {
        if host == "[::1]" || host.hasPrefix("[::1]:") { return true }
        let name = host.prefix { $0 != ":" }
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }

    /// The fields by which a browser gives the answer to the page.
    func fields(for origin: String?) -> [HTTPField] {
        guard all || !list.isEmpty else { return [] }
        let vary = HTTPField("Vary", "Origin")
        guard let origin, all || list.contains(origin.lowercased()) else { return all ? [] : [vary] }
        return all
            ? [HTTPField("Access-Control-Allow-Origin", "*")]
            : [HTTPField("Access-Control-Allow-Origin", origin), vary]
    }

    /// The further fields of an answer to a browser's question beforehand.
    static let preflight = [
        HTTPField("Access-Control-Allow-Methods", "POST"),
        HTTPField("Access-Control-Allow-Headers", "Authorization, Content-Type"),
        HTTPField("Access-Control-Max-Age", "600"),
    ]
}
