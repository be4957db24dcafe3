// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

public import AMQP
public import TokenMessages

/// How a client reaches the workers, and as whom.
public struct ClientConfiguration: Sendable {
    /// Who asks: leases belong to their caller.
    public enum Identity: Sendable, Hashable {
        /// The user of the broker's URL, which the broker validates.
        case user
        /// An application by its own word.
        case application(String)
        /// Nobody in particular.
        case anonymous
    }

    /// The brokers, any of which will do.
    public var endpoints: [AMQPURL]
    /// A file with the brokers' URLs, on lines or between spaces, to use instead of ``endpoints`` at each attempt to
    /// connect, so that a new password counts at the next one; its user must be that of ``endpoints``.
    public var endpointsFile: String?
    /// The names of queues and exchanges.
    public var names: Names
    /// What the broker's management UI shows for the connections.
    public var connectionName: String
    /// Who asks.
    public var identity: Identity
    /// How long a call waits for its reply, a connection included; after that no worker signs it any more.
    public var timeout: Duration
    /// Whether a call waits for a broker that is away, within its time, or fails at once.
    public var waitsForBroker: Bool

    /// Describes a client with the defaults.
    ///
    /// - Parameters:
    ///   - endpoints: the brokers, at least one.
    ///   - names: the names of queues and exchanges.
    ///   - connectionName: what the management UI shows.
    ///   - identity: who asks.
    ///   - timeout: how long a call waits for its reply.
    ///   - waitsForBroker: whether a call waits for a broker that is away.
    public init(
        endpoints: [AMQPURL], names: Names = .standard, connectionName: String = "agora-token client",
        identity: Identity = .user, timeout: Duration = .seconds(10), waitsForBroker: Bool = true
    ) {
        precondition(!endpoints.isEmpty, "a client needs at least one endpoint")
        self.endpoints = endpoints
        self.names = names
        self.connectionName = connectionName
        self.identity = identity
        self.timeout = timeout
        self.waitsForBroker = waitsForBroker
    }

    /// The caller that workers see.
    public var caller: Caller {
        Caller(userID: userID, appID: applicationID)
    }

    /// The property `user_id` of its messages.
    package var userID: String? { identity == .user ? endpoints[0].user : nil }

    /// The property `app_id` of its messages.
    package var applicationID: String? {
        if case .application(let name) = identity { name } else { nil }
    }

    /// How one of its connections is made, which the management UI shows with `part` after its name.
    package func connection(_ part: String) -> ConnectionConfiguration {
        var configuration = ConnectionConfiguration(endpoints: endpoints, connectionName: "\(connectionName) \(part)")
        configuration.endpointsFile = endpointsFile
        return configuration
    }
}
