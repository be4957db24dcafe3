// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How to reach brokers, and how patient to be with them.
public struct ConnectionConfiguration: Sendable {
    /// The brokers, any of which will do.
    ///
    /// Each round of attempts tries them in a new random order.
    public var endpoints: [AMQPURL]

    /// A file with the brokers' URLs, on lines or between spaces, to use instead of ``endpoints``.
    ///
    /// It is read before each round of attempts, so that new brokers and credentials count at the next connection.
    public var endpointsFile: String?

    /// A file with the user's name on one line, to use instead of that of the endpoint's URL.
    ///
    /// It is read before each attempt, as is ``passwordFile``.
    public var userFile: String?

    /// A file with the user's password on one line, to use instead of that of the endpoint's URL.
    public var passwordFile: String?

    /// What the broker's management UI shows for the connection, such as `worker host/pid intake`.
    public var connectionName: String

    /// What else to tell the broker about this client, such as `product` and `version`.
    public var clientProperties = HeaderTable()

    /// The heartbeat to ask for, in seconds, where an endpoint does not say; 0 switches heartbeats off.
    public var heartbeat: UInt16 = 10

    /// The longest time for the connection to one endpoint, from the name's resolution to the end of the TLS
    /// handshake, where the endpoint does not say.
    ///
    /// A name with several addresses is tried at each, and each has its share of the time.
    public var connectTimeout: Duration = .seconds(5)

    /// The longest time for the handshake and login.
    public var handshakeTimeout: Duration = .seconds(5)

    /// The longest time for one call that the broker answers, such as consuming a queue.
    ///
    /// It is short, as a broker that has just started may forget a call to a queue that is still recovering; after
    /// each time-out in a row the next connection waits twice as long, up to four times this.
    public var callTimeout: Duration = .seconds(4)

    /// How long a call may hang in the socket before the connection is given up.
    ///
    /// nil: two heartbeat intervals, or 20 s without heartbeats.
    public var stallTimeout: Duration?

    /// How long a publication may wait for its confirm before it counts as lost.
    public var confirmTimeout: Duration = .seconds(30)

    /// Bodies longer than this many bytes are skipped and reported by their size.
    public var maximumBodySize: UInt64 = 1 << 20

    /// How many publications may wait for an unblocked connection; further ones are lost at once.
    public var maximumWaitingPublications = 65_536

    /// The pauses between attempts to connect.
    public var backOff = BackOff()

    /// Creates a configuration with the defaults.
    ///
    /// - Parameters:
    ///   - endpoints: the brokers, at least one.
    ///   - connectionName: what the management UI shows.
    public init(endpoints: [AMQPURL], connectionName: String) {
        precondition(!endpoints.isEmpty, "a connection needs at least one endpoint")
        self.endpoints = endpoints
        self.connectionName = connectionName
    }

    /// The endpoints as they are now.
    func currentEndpoints() throws(AMQPError) -> [AMQPURL] {
        guard let endpointsFile else { return endpoints }
        return try SettingsFile.endpoints(endpointsFile)
    }

    /// An endpoint with the credentials as they are now.
    func withCurrentCredentials(_ endpoint: AMQPURL) throws(AMQPError) -> AMQPURL {
        var endpoint = endpoint
        if let userFile { endpoint.user = try SettingsFile.line(userFile, "user name") }
        if let passwordFile { endpoint.password = try SettingsFile.line(passwordFile, "password") }
        return endpoint
    }

    /// The stall time limit with its default worked out for one endpoint.
    func stallLimit(for endpoint: AMQPURL) -> Duration {
        if let stallTimeout { return stallTimeout }
        let interval = endpoint.heartbeat ?? heartbeat
        return interval > 0 ? .seconds(2 * Int(interval)) : .seconds(20)
    }
}
