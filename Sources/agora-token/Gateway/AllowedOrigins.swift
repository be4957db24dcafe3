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
    func admits(origin: String?, host: String?) -> Bool {
        guard let origin = origin?.lowercased() else { return true }
        if all || list.contains(origin) { return true }
        guard let host = host?.lowercased() else { return false }
        return origin == "https://\(host)" || origin == "http://\(host)"
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
