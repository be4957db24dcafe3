// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Where a broker is and how to log in: a parsed `amqp://` or `amqps://` URL.
///
/// `amqp://user:password@host:5672/vhost?heartbeat=10`. Every part is optional: the defaults are RabbitMQ's, user
/// `guest` at `localhost` in the virtual host `/`. A virtual host that begins with a slash is written with `%2f`;
/// a trailing slash alone names the virtual host with the empty name, as RabbitMQ's URI specification has it.
public struct AMQPURL: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// Whether the connection is encrypted (`amqps`).
    public var isTLS: Bool
    /// The host's name or address, without brackets.
    public var host: String
    /// The port: 5672, or 5671 for `amqps`, unless given.
    public var port: UInt16
    /// The user to log in as.
    public var user: String
    /// The user's password.
    public var password: String
    /// The virtual host.
    public var virtualHost: String
    /// The heartbeat to ask for, in seconds, where the URL has one; 0 switches heartbeats off.
    public var heartbeat: UInt16?
    /// The longest time that connecting may take, in milliseconds, where the URL has one.
    public var connectionTimeout: UInt32?
    /// The most channels to agree on, where the URL has a number.
    public var channelMaximum: UInt16?
    /// How to log in.
    public var mechanism = AuthenticationMechanism.plain
    /// How the connection is encrypted, if it is.
    public var tls = TLSSettings()

    /// Parses a URL.
    ///
    /// - Parameter text: the URL. Query parameters: `heartbeat` (seconds), `connection_timeout` (milliseconds),
    ///   `channel_max`, `auth_mechanism` (`plain` or `external`); for `amqps` also `cacertfile`, `certfile`,
    ///   `keyfile`, `verify` (`verify_peer` or `verify_none`) and `server_name_indication`.
    /// - Throws: what is wrong, without repeating the text.
    public init(parsing text: String) throws(AMQPURLError) {
        var parts = URLParts(text)
        let (isTLS, remainder) = try parts.scheme()
        let authority = parts.authority(of: remainder)
        self.isTLS = isTLS
        self.user = try percentDecoded(authority.user, part: "user name") ?? "guest"
        self.password = try percentDecoded(authority.password, part: "password") ?? "guest"
        self.host = try validHost(authority.host)
        self.port = try validPort(authority.port, default: isTLS ? 5671 : 5672)
        if let path = parts.path {
            guard !path.contains("/") else { throw .path }
            self.virtualHost = try percentDecoded(path, part: "virtual host") ?? ""
        } else {
            self.virtualHost = "/"
        }
        var seen: Set<String> = []
        for (name, value) in try parts.parameters() {
            guard seen.insert(name).inserted else { throw .unknownParameter(name) }
            try take(parameter: name, value)
        }
    }

    /// The URL without its password.
    public var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let path = virtualHost == "/" ? "" : "/" + percentEncoded(virtualHost)
        return "\(isTLS ? "amqps" : "amqp")://\(percentEncoded(user))@\(name):\(port)\(path)"
    }

    /// The URL without its password.
    public var debugDescription: String { description }
}

func validHost(_ text: Substring) throws(AMQPURLError) -> String {
    if text.isEmpty { return "localhost" }
    if text.first == "[" {
        // An address may name its interface: [fe80::1%25eth0].
        guard text.last == "]", let inner = try percentDecoded(text.dropFirst().dropLast(), part: "host") else {
            throw .host
        }
        let parts = inner.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        let isAddress =
            parts[0].contains(":")
            && parts[0].utf8.allSatisfy { isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        guard isAddress, parts.count == 1 || isName(parts[1]) else { throw .host }
        return inner
    }
    guard let host = try percentDecoded(text, part: "host") else { return "localhost" }
    guard isName(host) else { throw .host }
    return host
}

func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
        && text.utf8.allSatisfy { byte in
            isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "_")
        }
}

private func validPort(_ text: Substring?, default defaultPort: UInt16) throws(AMQPURLError) -> UInt16 {
    guard let text else { return defaultPort }
    guard let port = plainNumber(text, atMost: 65535), port > 0 else { throw .port }
    return UInt16(port)
}

/// A number written with digits alone, without sign or blanks.
func plainNumber(_ text: Substring, atMost limit: Int) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    guard let number = Int(text), number <= limit else { return nil }
    return number
}
