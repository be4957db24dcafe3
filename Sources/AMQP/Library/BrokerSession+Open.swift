// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CLinux
import CRabbitMQ
import Platform

extension BrokerSession {
    /// Connects and logs in.
    ///
    /// - Parameters:
    ///   - endpoint: the broker.
    ///   - configuration: names and time limits.
    ///   - stallGuard: what cuts the socket when a call hangs.
    /// - Returns: the session, logged in.
    /// - Throws: why there is no connection, naming the endpoint and never the password.
    static func open(
        _ endpoint: AMQPURL, _ configuration: ConnectionConfiguration, stallGuard: StallGuard
    ) throws(AMQPError) -> BrokerSession {
        do throws(AMQPError) {
            let endpoint = try configuration.withCurrentCredentials(endpoint)
            let session = try connect(endpoint, configuration, stallGuard: stallGuard)
            do throws(AMQPError) {
                try session.logIn(endpoint, configuration)
            } catch {
                throw session.handshake?.loginFailure(error) ?? error
            }
            return session
        } catch {
            throw error.during("\(endpoint)")
        }
    }

    /// Connects to the first address of the endpoint that accepts, each with its share of the time.
    private static func connect(
        _ endpoint: AMQPURL, _ configuration: ConnectionConfiguration, stallGuard: StallGuard
    ) throws(AMQPError) -> BrokerSession {
        let limit =
            endpoint.connectionTimeout.map { Duration.milliseconds(Int64($0)) } ?? configuration.connectTimeout
        let end = ContinuousClock.now + limit
        let addresses = try NameLookup.addresses(of: endpoint.host, within: limit) { stallGuard.isAborted }
        let timeOut = AMQPError(.timedOut, "no connection within \(limit)")
        var failure = timeOut
        for (index, address) in addresses.enumerated() {
            let rest = end - .now
            guard rest > .zero else { throw timeOut }
            let handshake = endpoint.isTLS ? TLSHandshake(endpoint) : nil
            guard let connection = unsafe amqp_new_connection() else { throw AMQPError(.unreachable, "out of memory") }
            let session = unsafe BrokerSession(
                connection, handshake: handshake, stallGuard: stallGuard, callLimit: configuration.callTimeout,
                stallLimit: configuration.stallLimit(for: endpoint))
            do throws(AMQPError) {
                try session.connect(to: address, endpoint.port, within: rest / (addresses.count - index))
                return session
            } catch {
                failure = error.code == .timedOut ? timeOut : error
                // Whoever answers at the next address would be the same, with the same certificate.
                if error.code == .tlsFailed || stallGuard.isAborted { break }
            }
        }
        throw failure
    }

    /// The corresponding C function is `amqp_socket_open_noblock`.
    private func connect(to address: String, _ port: UInt16, within limit: Duration) throws(AMQPError) {
        let socket =
            if let handshake { try unsafe handshake.socket(for: connection) } else {
                unsafe amqp_tcp_socket_new(connection)
            }
        guard let socket = unsafe socket else { throw AMQPError(.unreachable, "out of memory") }
        var time = limit.timeValue
        switch unsafe amqp_socket_open_noblock(socket, address, Int32(port), &time) {
        case AMQP_STATUS_OK.rawValue: break
        case AMQP_STATUS_TIMEOUT.rawValue: throw AMQPError(.timedOut, "the connection was not made in time")
        case AMQP_STATUS_SSL_CONNECTION_FAILED.rawValue, AMQP_STATUS_SSL_ERROR.rawValue,
            AMQP_STATUS_SSL_PEER_VERIFY_FAILED.rawValue:
            throw handshake?.failure() ?? AMQPError(.tlsFailed, "there is no TLS with the broker")
        default: throw AMQPError(.unreachable, "the connection was refused or the host cannot be reached")
        }
        let descriptor = unsafe amqp_get_sockfd(connection)
        stallGuard.opened(descriptor)
        let milliseconds = max(stallLimit.pollMilliseconds, 1)
        clinux_tcp_patience(descriptor, UInt32(milliseconds), max(1, milliseconds / 2000), 5, 3)
    }

    /// The corresponding C function is `amqp_login_with_properties`.
    private func logIn(_ endpoint: AMQPURL, _ configuration: ConnectionConfiguration) throws(AMQPError) {
        var limit = configuration.handshakeTimeout.timeValue
        unsafe amqp_set_handshake_timeout(connection, &limit)
        stallGuard.allow(configuration.handshakeTimeout + .seconds(1))
        arena.reset()
        var properties = unsafe arena.table(clientProperties(configuration))
        let channels = Int32(endpoint.channelMaximum ?? 0)
        let heartbeat = Int32(endpoint.heartbeat ?? configuration.heartbeat)
        let reply =
            switch endpoint.mechanism {
            case .plain:
                unsafe crabbitmq_login_plain(
                    connection, endpoint.virtualHost, channels, 131_072, heartbeat, &properties, endpoint.user,
                    endpoint.password)
            case .external:
                // The broker takes the name from the certificate; librabbitmq refuses an empty one.
                unsafe crabbitmq_login_external(
                    connection, endpoint.virtualHost, channels, 131_072, heartbeat, &properties,
                    endpoint.user.isEmpty ? "x" : endpoint.user)
            }
        do throws(AMQPError) {
            try unsafe check(reply, "logging in")
        } catch {
            // RabbitMQ says 403 when the password is wrong, and just hangs up on clients that do not expect that.
            guard error.code != .accessRefused else {
                let who = endpoint.mechanism == .plain ? endpoint.user : "whom the client certificate names"
                throw AMQPError(.authenticationFailed, "logging in as \(who): \(error)")
            }
            throw error
        }
        setCallTimeout(configuration.callTimeout)
        loggedIn(to: brokerIdentity(), descriptor: unsafe amqp_get_sockfd(connection))
    }

    /// librabbitmq announces none of these by itself, and RabbitMQ sends cancellations and alarms only if asked to.
    private func clientProperties(_ configuration: ConnectionConfiguration) -> HeaderTable {
        let capabilities: HeaderTable = [
            "consumer_cancel_notify": .boolean(true), "connection.blocked": .boolean(true),
            "publisher_confirms": .boolean(true), "basic.nack": .boolean(true),
            "authentication_failure_close": .boolean(true),
        ]
        var properties = configuration.clientProperties
        properties.entries.append(HeaderTable.Entry(name: "capabilities", value: .table(capabilities)))
        properties.entries.append(
            HeaderTable.Entry(name: "connection_name", value: .string(configuration.connectionName)))
        return properties
    }

    /// The corresponding C function is `amqp_get_server_properties`.
    private func brokerIdentity() -> BrokerIdentity {
        var product = ""
        var version = ""
        if let table = unsafe amqp_get_server_properties(connection) {
            for index in unsafe 0..<Int(max(table.pointee.num_entries, 0)) {
                let entry = unsafe table.pointee.entries[index]
                guard unsafe entry.value.kind == UInt8(AMQP_FIELD_KIND_UTF8.rawValue) else { continue }
                switch unsafe readableText(entry.key) {
                case "product": product = unsafe readableText(entry.value.value.bytes)
                case "version": version = unsafe readableText(entry.value.value.bytes)
                default: break
                }
            }
        }
        return BrokerIdentity(
            product: product, version: version, certificateEnd: handshake?.brokerCertificateEnd,
            clientCertificateEnd: handshake?.ownCertificateEnd)
    }
}
