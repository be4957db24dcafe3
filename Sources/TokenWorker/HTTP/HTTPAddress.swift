// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

/// Where a server listens.
package enum HTTPAddress: Sendable, Hashable, CustomStringConvertible {
    /// Nowhere.
    case off
    /// An address or name of this host, and a port; 0 for one that is free.
    case port(UInt16, host: String)

    /// Where a worker serves its pages by default.
    package static let standard = HTTPAddress.port(9419, host: "127.0.0.1")

    /// Where a gateway serves the pages for monitoring by default, beside those for its clients.
    package static let gatewayStandard = HTTPAddress.port(9420, host: "127.0.0.1")

    /// Reads `HOST:PORT`, `[IPV6]:PORT`, or `off`.
    ///
    /// - Throws: ``ConfigurationError`` for anything else.
    package init(_ value: SettingSources.Value) throws(ConfigurationError) {
        if value.text == "off" || value.text == "none" {
            self = .off
            return
        }
        let colon = value.text.lastIndex(of: ":")
        guard let colon, let port = UInt16(value.text[value.text.index(after: colon)...]) else {
            throw Self.malformed(value)
        }
        var host = String(value.text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw Self.malformed(value)
        }
        guard !host.isEmpty, !host.utf8.contains(0) else { throw Self.malformed(value) }
        self = .port(port, host: host)
    }

    private static func malformed(_ value: SettingSources.Value) -> ConfigurationError {
        ConfigurationError(value.origin, "\(Shown.quoted(value.text)) is not HOST:PORT, such as 127.0.0.1:9419, or off")
    }

    /// The address as it is configured.
    package var description: String {
        switch self {
        case .off: "off"
        case .port(let port, let host): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }
}
