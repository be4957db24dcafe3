// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import TokenMessages
import TokenWorker

/// `lease list`: the leases of the store.
enum LeaseListCommand: Command {
    static let description = CommandDescription(
        name: "lease list", summary: "list the leases of the store",
        options: [
            LeaseTarget.caller, Option("cancelled", "those too that were cancelled and whose token is still valid"),
            Option("limit", value: "N", "no more than so many (100)"),
            Option("after", value: "KEY", "those after this one, for the next page"), .json,
        ] + LeaseTarget.options)

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let limit = try arguments.integer("limit", in: 1...1_000_000) ?? 100
        var selection = LeaseRegister.Selection()
        selection.caller = arguments[LeaseTarget.caller.name].map { Caller(text: $0) }
        selection.includesCancelled = arguments.has("cancelled")
        if let after = arguments["after"] {
            guard let key = Key(hex: after) else {
                throw CommandFailure(.usage, "--after: \"\(after)\" is no key; the page before ends with one")
            }
            selection.after = key
        }
        let printer = LeasePrinter(console: context.console, json: arguments.has("json"))
        return try LeaseTarget(arguments, in: context).with { register throws(StoreError) in
            let (records, more) = try register.list(selection, limit: limit)
            printer.list(records)
            if let more { context.console.note("there are more: --after \(more.hex)") }
            return .success
        }
    }
}

/// `lease show`: one of them in full.
enum LeaseShowCommand: Command {
    static let description = CommandDescription(
        name: "lease show", summary: "show a lease and what is to come of it",
        operands: [LeaseTarget.operand], options: [LeaseTarget.caller, .json] + LeaseTarget.options,
        notes: [LeaseTarget.note])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let printer = LeasePrinter(console: context.console, json: arguments.has("json"))
        let target = try LeaseTarget(arguments, in: context)
        let (id, caller) = try target.lease(arguments)
        return try target.with { register throws(StoreError) in
            guard let record = try register.find(id, caller: caller) else { return target.none(id, context) }
            printer.show(record)
            return .success
        }
    }
}

/// `lease cancel`: ends one without a worker.
enum LeaseCancelCommand: Command {
    static let description = CommandDescription(
        name: "lease cancel", summary: "end a lease in the store, whosever it is",
        operands: [LeaseTarget.operand], options: [LeaseTarget.caller, .json] + LeaseTarget.options,
        notes: [
            LeaseTarget.note,
            "A worker tells its caller by a notice. The token itself stays valid until it expires; Agora has no way to"
                + " take it back.",
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let printer = LeasePrinter(console: context.console, json: arguments.has("json"))
        let target = try LeaseTarget(arguments, in: context)
        let (id, caller) = try target.lease(arguments)
        return try target.with { register throws(StoreError) in
            guard let (lease, already) = try register.cancel(id, caller: caller) else {
                return target.none(id, context)
            }
            printer.cancelled(lease, already: already)
            return .success
        }
    }
}

/// `forecast`: how many leases end in each of the coming minutes.
enum ForecastCommand: Command {
    static let description = CommandDescription(
        name: "forecast", summary: "how many leases end in each of the coming minutes",
        options: [Option("hours", value: "N", "how far to look ahead, 1 to 24 (2)"), .json] + LeaseTarget.options,
        notes: ["A lease that is renewed meanwhile ends later."])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let hours = try arguments.integer("hours", in: 1...24) ?? 2
        let json = arguments.has("json")
        return try LeaseTarget(arguments, in: context).with { register throws(StoreError) in
            ForecastPrinter(console: context.console, json: json).print(try register.forecast(minutes: hours * 60))
            return .success
        }
    }
}
