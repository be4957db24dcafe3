// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TokenMessages
import TokenWorker

/// The broker and the names that a topology command works on.
struct TopologyTarget {
    let brokers: [AMQPURL]
    let names: Names
    let plan: TopologyPlan
    let management: ManagementClient?

    static let options =
        [
            .configurationFile,
            Option("management", value: "URL", "the management API, http://HOST:PORT (AGORA_TOKEN_MANAGEMENT)"),
        ] + SettingOptions.options(for: [.broker, .prefix, .deliveryLimit])

    init(_ arguments: Arguments, in context: CommandContext) throws(ConfigurationError) {
        let sources = try SettingOptions.sources(arguments, in: context)
        brokers = try WorkerConfiguration.brokers(sources)
        names = try WorkerConfiguration.names(sources)
        plan = TopologyPlan(names, deliveryLimit: try WorkerConfiguration.deliveryLimit(sources))
        let url = arguments["management"] ?? context.environment["AGORA_TOKEN_MANAGEMENT"]
        management = url.map { [broker = brokers[0]] in
            ManagementClient(base: $0, user: broker.user, password: broker.password)
        }
    }

    var broker: AMQPURL { brokers[0] }

    /// Connects, once.
    func connect() throws(CommandFailure) -> Topology {
        do {
            return try Topology(ConnectionConfiguration(endpoints: brokers, connectionName: "agora-token topology"))
        } catch {
            throw CommandFailure(.unavailable, "\(error)")
        }
    }

    /// Runs calls of the management API.
    func asking(_ calls: () throws -> Void) throws {
        do {
            try calls()
        } catch let failure as ManagementClient.Failure {
            throw CommandFailure(.unavailable, "\(failure)")
        }
    }
}
