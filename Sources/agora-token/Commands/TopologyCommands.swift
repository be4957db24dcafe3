// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TokenMessages
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
        options: [.json] + TopologyTarget.options,
        notes: [
            """
            Without --management it says which exchanges and queues are missing, which is all that AMQP tells. With it
            also what is otherwise: types, durability, bindings and policies, as topology diff does.
            """
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let target = try TopologyTarget(arguments, in: context)
        let broker = try target.connect()
        var faults: [TopologyPlan.Fault] = []
        if let management = target.management {
            // It knows of everything that is missing as well.
            try target.asking {
                faults = try target.plan.differences(with: management, virtualHost: target.broker.virtualHost)
            }
        } else {
            do throws(AMQPError) {
                faults = try target.plan.missing(from: broker)
            } catch {
                throw CommandFailure(.unavailable, "\(error)")
            }
        }
        if arguments.has(Option.json.name) {
            printJSON(faults, isCompared: target.management != nil, context.console)
            return faults.isEmpty ? .success : .failure
        }
        for fault in faults { context.console.print(fault.description) }
        guard faults.isEmpty else {
            context.console.note(
                "agora-token topology apply --management URL makes what is missing; what differs is its owner's to delete"
            )
            return .failure
        }
        guard target.management != nil else {
            context.console.print("exchanges and queues are there")
            context.console.note("types, bindings and policies were not looked at: --management URL compares them")
            return .success
        }
        context.console.print("the topology is complete")
        return .success
    }

    private static func printJSON(_ faults: [TopologyPlan.Fault], isCompared: Bool, _ console: Console) {
        var json = JSONWriter()
        json.beginObject()
        json.member("complete", faults.isEmpty)
        json.member("compared", isCompared)
        json.member("faults", faults.map(\.description))
        json.endObject()
        console.print(String(decoding: json.bytes, as: UTF8.self))
    }
}

/// `topology diff`: says everything that is otherwise than it should be, by the management API.
enum TopologyDiffCommand: Command {
    static let description = CommandDescription(
        name: "topology diff", summary: "say everything that differs from the topology, strange bindings included",
        options: TopologyTarget.options,
        notes: ["Needs --management and a user with the tag monitoring. Nothing printed, and exit 0: nothing differs."])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let target = try TopologyTarget(arguments, in: context)
        guard let management = target.management else {
            throw CommandFailure(.usage, "--management is missing: AMQP tells whether a queue is there, not how it is")
        }
        var faults: [TopologyPlan.Fault] = []
        try target.asking {
            faults = try target.plan.differences(with: management, virtualHost: target.broker.virtualHost)
        }
        for fault in faults { context.console.print(fault.description) }
        return faults.isEmpty ? .success : .failure
    }
}

/// `topology export`: prints the topology for a broker to import, for instance at its start.
enum TopologyExportCommand: Command {
    static let description = CommandDescription(
        name: "topology export", summary: "print the topology as definitions.json of RabbitMQ",
        options: [
            .configurationFile,
            Option("virtual-host", value: "NAME", "where it is to be; else as the broker's URL, else /"),
        ] + SettingOptions.options(for: [.broker, .prefix, .deliveryLimit]),
        notes: [
            "Import it with rabbitmqctl import_definitions, the management UI, or load_definitions. No users in it."
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let sources = try SettingOptions.sources(arguments, in: context)
        let plan = TopologyPlan(
            try WorkerConfiguration.names(sources), deliveryLimit: try WorkerConfiguration.deliveryLimit(sources))
        let hasBroker = try sources.value(of: .broker) != nil
        let host =
            try arguments["virtual-host"] ?? (hasBroker ? WorkerConfiguration.brokers(sources)[0].virtualHost : "/")
        context.console.output.write(plan.definitions(virtualHost: host))
        return .success
    }
}

/// `topology subscribe`: makes a queue that hears a caller's notices.
enum TopologySubscribeCommand: Command {
    static let description = CommandDescription(
        name: "topology subscribe", summary: "make a durable queue for the notices of a caller",
        options: [
            Option("queue", value: "NAME", "the queue to make"),
            Option("caller", value: "CALLER", "u-<user_id>, a-<app_id> or anonymous; * for everybody's"),
        ] + TopologyTarget.options,
        notes: [
            "The queue keeps notices while nobody reads it: bound it by a policy if that may be long."
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        guard let queue = arguments["queue"], let caller = arguments["caller"] else {
            throw CommandFailure(.usage, "--queue and --caller are both needed")
        }
        let target = try TopologyTarget(arguments, in: context)
        let wanted: NoticeQueue
        do {
            wanted = try NoticeQueue(name: queue, caller: caller, names: target.names)
        } catch {
            throw CommandFailure(.usage, error.description)
        }
        try wanted.make(on: target.connect())
        context.console.print("queue \(queue) hears \(wanted.routingKey)")
        return .success
    }
}
