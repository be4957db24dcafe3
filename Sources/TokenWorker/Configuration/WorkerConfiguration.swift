// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AMQP
package import TokenMessages

/// Everything that a worker is told before it starts, checked.
package struct WorkerConfiguration: Sendable {
    package var projects: Projects
    /// Who may have which tokens.
    package var policy: Policy
    /// The broker, and the others of its cluster that will do as well.
    package var broker: AMQPURL
    package var otherBrokers: [AMQPURL]
    /// The file that holds the broker's URL, to be read again at each attempt to connect; nil where there is none.
    package var brokerFile: String?
    package var store: StoreLocation
    /// The setting that says where leases are kept, for complaints; `nil` for the standard place.
    package var storeOrigin: String?
    /// The names of queues and exchanges.
    package var names: Names
    /// Seconds that a token lives where the request does not say, 1 to 86400.
    package var defaultLifetime: UInt32
    /// Unanswered messages held per queue.
    package var prefetch: UInt16
    /// How often a message may be delivered before it counts as one that kills its workers.
    package var deliveryLimit: Int64
    /// Seconds to finish in after SIGTERM.
    package var gracePeriod: Int
    /// Seconds that a claimed notice stays with its worker.
    package var visibility: Int
    package var directReplyTo: DirectReplyTo
    /// Where `/livez`, `/readyz` and `/metrics` are served.
    package var http: HTTPAddress
    /// The setting that says so, for complaints; `nil` for the standard place.
    package var httpOrigin: String?
    package var log: LogFormat
    /// Where the audit's lines go.
    package var audit: AuditTarget
    /// The setting that says so, for complaints.
    package var auditOrigin: String?
    /// The settings that count until the next start, as they were read.
    package var settings: SettingsSnapshot

    /// Whether replies may go to a direct reply-to.
    package enum DirectReplyTo: String, Sendable, Hashable, CaseIterable {
        /// Where the broker's version does not crash on a malformed one.
        case auto
        case allow
        case refuse
    }
}

extension WorkerConfiguration {
    /// Reads the settings.
    ///
    /// - Throws: ``ConfigurationError`` that names the first setting that is missing or malformed.
    package init(_ sources: SettingSources) throws(ConfigurationError) {
        projects = try Projects(sources)
        policy = try Policy(sources, projects: projects)
        let brokers = try Self.brokers(sources)
        broker = brokers[0]
        otherBrokers = Array(brokers.dropFirst())
        brokerFile = sources.file(of: .broker)
        store = try Self.store(sources)
        storeOrigin = try sources.value(of: .store)?.origin
        names = try Self.names(sources)
        defaultLifetime = try sources.integer(.defaultLifetime, in: 1...86_400) ?? 3600
        prefetch = try sources.integer(.prefetch, in: 1...10_000) ?? 250
        deliveryLimit = try Self.deliveryLimit(sources)
        gracePeriod = try sources.integer(.gracePeriod, in: 0...3600) ?? 30
        visibility = try sources.integer(.visibility, in: 2...600) ?? 10
        directReplyTo = try sources.choice(.directReplyTo, DirectReplyTo.self) ?? .auto
        let http = try sources.value(of: .http)
        self.http = try http.map { value throws(ConfigurationError) in try HTTPAddress(value) } ?? .standard
        httpOrigin = http?.origin
        let audit = try sources.value(of: .audit)
        self.audit = try audit.map { value throws(ConfigurationError) in try AuditTarget(value) } ?? .off
        auditOrigin = audit?.origin
        settings = try sources.snapshot()
        log = try sources.choice(.log, LogFormat.self) ?? (FileWriter.standardError.isTerminal ? .text : .json)
    }

    /// The brokers alone, at least one, which every command that talks to one needs.
    package static func brokers(_ sources: SettingSources) throws(ConfigurationError) -> [AMQPURL] {
        guard let value = try sources.value(of: .broker) else {
            throw ConfigurationError(
                Setting.broker.variable,
                "is missing; it is the broker, amqp://USER:PASSWORD@HOST:PORT/VHOST, which --amqp URL names too")
        }
        return try brokers(value)
    }

    /// The brokers that a value names.
    static func brokers(_ value: SettingSources.Value) throws(ConfigurationError) -> [AMQPURL] {
        var brokers: [AMQPURL] = []
        for text in value.text.split(separator: " ") {
            do {
                brokers.append(try AMQPURL(parsing: String(text)))
            } catch {
                throw ConfigurationError(value.origin, "\(error)")
            }
        }
        guard !brokers.isEmpty else { throw ConfigurationError(value.origin, "\(AMQPURLError.scheme)") }
        return brokers
    }

    /// How often a message may be delivered without an answer, 1 to 1000.
    package static func deliveryLimit(_ sources: SettingSources) throws(ConfigurationError) -> Int64 {
        try sources.integer(.deliveryLimit, in: 1...1000) ?? MessagePlanner.standardDeliveryLimit
    }

    /// Where leases are kept.
    package static func store(_ sources: SettingSources) throws(ConfigurationError) -> StoreLocation {
        guard let value = try sources.value(of: .store) else { return try .standard(sources.environment) }
        return try StoreLocation(value)
    }

    /// The names of the contract.
    package static func names(_ sources: SettingSources) throws(ConfigurationError) -> Names {
        guard let value = try sources.value(of: .prefix) else { return .standard }
        guard let names = Names(prefix: value.text) else {
            throw ConfigurationError(
                value.origin,
                "\(Shown.quoted(value.text)) is not 1 to 100 letters, digits, dots, dashes and underscores")
        }
        return names
    }
}

extension SettingSources {
    /// One of the words of `type`, or `nil` where it is not set.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ setting: Setting, _ type: Choice.Type
    ) throws(ConfigurationError) -> Choice? {
        guard let value = try value(of: setting) else { return nil }
        guard let choice = Choice(rawValue: value.text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError(value.origin, "\(Shown.quoted(value.text)) is none of \(words)")
        }
        return choice
    }
}
