// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TokenWorker

/// `topology apply`: makes the exchanges, queues and bindings, and sets the limits.
enum TopologyApplyCommand: Command {
    static let description = CommandDescription(
        name: "topology apply", summary: "make the exchanges, queues, bindings and policies",
        options: TopologyTarget.options,
        notes: [
            "What exists and fits is left alone; what exists and differs is an error, since only its owner can delete it."
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let target = try TopologyTarget(arguments, in: context)
        try target.plan.apply(to: target.connect())
        guard let management = target.management else {
            context.console.print("exchanges, queues and bindings are there")
            context.console.note(
                "policies are not set: --management URL sets the delivery limit and the bounds of unrouted notices"
            )
            return .success
        }
        try target.asking { try target.plan.applyPolicies(with: management, virtualHost: target.broker.virtualHost) }
        context.console.print("exchanges, queues, bindings and policies are there")
        return .success
    }
}

/// `topology check`: says what is missing, and changes nothing.
enum TopologyCheckCommand: Command {
    static let description = CommandDescription(
        name: "topology check", summary: "say what of the topology is missing or different",
        options: TopologyTarget.options)

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let target = try TopologyTarget(arguments, in: context)
        var faults = try target.plan.missing(from: target.connect())
        if let management = target.management {
            try target.asking {
                faults += try target.plan.wrongPolicies(with: management, virtualHost: target.broker.virtualHost)
            }
        }
        for fault in faults { context.console.print(fault.description) }
        guard faults.isEmpty else {
            context.console.note("agora-token topology apply makes what is missing")
            return .failure
        }
        context.console.print("the topology is complete")
        return .success
    }
}

/// The broker and the names that a topology command works on.
private struct TopologyTarget {
    let brokers: [AMQPURL]
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
        plan = TopologyPlan(
            try WorkerConfiguration.names(sources), deliveryLimit: try WorkerConfiguration.deliveryLimit(sources))
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
            throw CommandFailure(.unavailable, "\(broker): \(error)")
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
