// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CLinux
import CRabbitMQ

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
            guard !endpoint.isTLS else {
                throw AMQPError(.unsupported, "amqps is not available yet; use amqp")
            }
            guard let connection = unsafe amqp_new_connection() else { throw AMQPError(.unreachable, "out of memory") }
            let session = unsafe BrokerSession(
                connection, stallGuard: stallGuard, callLimit: configuration.callTimeout,
                stallLimit: configuration.stallLimit(for: endpoint))
            try session.connect(endpoint, configuration)
            try session.logIn(endpoint, configuration)
            return session
        } catch {
            throw error.during("\(endpoint)")
        }
    }

    /// The corresponding C function is `amqp_socket_open_noblock`.
    private func connect(_ endpoint: AMQPURL, _ configuration: ConnectionConfiguration) throws(AMQPError) {
        let limit =
            endpoint.connectionTimeout.map { Duration.milliseconds(Int64($0)) } ?? configuration.connectTimeout
        guard let socket = unsafe amqp_tcp_socket_new(connection) else {
            throw AMQPError(.unreachable, "out of memory")
        }
        var time = limit.timeValue
        let status = unsafe amqp_socket_open_noblock(socket, endpoint.host, Int32(endpoint.port), &time)
        guard status == AMQP_STATUS_OK.rawValue else {
            if status == AMQP_STATUS_TIMEOUT.rawValue {
                throw AMQPError(.timedOut, "no connection within \(limit)")
            }
            if status == AMQP_STATUS_HOSTNAME_RESOLUTION_FAILED.rawValue { throw failure(status: status) }
            throw AMQPError(.unreachable, "the connection was refused or the host cannot be reached")
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
        let reply = unsafe crabbitmq_login_plain(
            connection, endpoint.virtualHost, 131_072, Int32(endpoint.heartbeat ?? configuration.heartbeat),
            &properties, endpoint.user, endpoint.password)
        do throws(AMQPError) {
            try unsafe check(reply, "logging in")
        } catch {
            // RabbitMQ says 403 when the password is wrong, and just hangs up on clients that do not expect that.
            guard error.code != .accessRefused else {
                throw AMQPError(.authenticationFailed, "logging in as \(endpoint.user): \(error)")
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
        return BrokerIdentity(product: product, version: version)
    }
}
