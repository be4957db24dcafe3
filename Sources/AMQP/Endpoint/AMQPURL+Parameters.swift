// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The query parameters, named as RabbitMQ's URI specification names them.
extension AMQPURL {
    mutating func take(parameter name: String, _ value: Substring) throws(AMQPURLError) {
        switch name {
        case "heartbeat":
            heartbeat = UInt16(try number(name, value, 0...65535, "a number of seconds"))
        case "connection_timeout":
            connectionTimeout = UInt32(try number(name, value, 1...3_600_000, "a number of milliseconds"))
        case "channel_max":
            channelMaximum = UInt16(try number(name, value, 1...65535, "a number"))
        case "auth_mechanism":
            guard let known = AuthenticationMechanism(rawValue: value.uppercased()) else {
                throw .parameter(name: name, expected: "plain or external")
            }
            mechanism = known
        case "cacertfile", "certfile", "keyfile", "verify", "server_name_indication":
            guard isTLS else { throw .parameter(name: name, expected: "left out, as only amqps:// has a use for it") }
            try take(tlsParameter: name, value)
        default:
            throw .unknownParameter(name)
        }
    }

    private mutating func take(tlsParameter name: String, _ value: Substring) throws(AMQPURLError) {
        switch name {
        case "cacertfile": tls.authorityFile = try path(name, value)
        case "certfile": tls.certificateFile = try path(name, value)
        case "keyfile": tls.keyFile = try path(name, value)
        case "verify":
            guard value == "verify_peer" || value == "verify_none" else {
                throw .parameter(name: name, expected: "verify_peer or verify_none")
            }
            tls.verifiesBroker = value == "verify_peer"
        default:
            guard !value.isEmpty else { throw .parameter(name: name, expected: "a host name or address") }
            tls.serverName = try validHost(value)
        }
    }

    private func number(
        _ name: String, _ value: Substring, _ range: ClosedRange<Int>, _ what: String
    ) throws(AMQPURLError) -> Int {
        guard let number = plainNumber(value, atMost: range.upperBound), range.contains(number) else {
            throw .parameter(name: name, expected: "\(what) from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func path(_ name: String, _ value: Substring) throws(AMQPURLError) -> String {
        guard let path = try percentDecoded(value, part: name, atMost: 4095), !path.isEmpty else {
            throw .parameter(name: name, expected: "a file's path")
        }
        return path
    }
}
