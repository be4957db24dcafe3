// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Why a text is not an AMQP URL; the text itself, which may hold a password, is never part of it.
public enum AMQPURLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text begins with neither `amqp://` nor `amqps://`.
    case scheme
    /// The host is malformed, or holds characters that no host name has.
    case host
    /// The port is not a number from 1 to 65535.
    case port
    /// A percent sign is not followed by two hexadecimal digits, or decodes to no valid text.
    case percentEncoding(part: String)
    /// A part holds a control character or is longer than AMQP allows.
    case value(part: String)
    /// The path has more than one segment.
    case path
    /// A query parameter is unknown or given twice.
    case unknownParameter(String)
    /// A query parameter has a value out of range.
    case parameter(name: String, expected: String)

    /// What is wrong and what would be right, in one line.
    public var description: String {
        switch self {
        case .scheme: "the URL must begin with amqp:// or amqps://"
        case .host: "the host is not a host name, an IPv4 address or an IPv6 address in brackets"
        case .port: "the port is not a number from 1 to 65535"
        case .percentEncoding(let part): "the \(part) holds a percent sign without two hexadecimal digits, or no UTF-8"
        case .value(let part): "the \(part) holds a control character or is too long"
        case .path: "the path has more than one segment; a slash in the virtual host is written %2f"
        case .unknownParameter(let name): "the query parameter \(name) is unknown or given twice"
        case .parameter(let name, let expected): "the query parameter \(name) must be \(expected)"
        }
    }
}
