// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages
import TokenWorker

/// `dead list`: what could not be answered, and why.
enum DeadListCommand: Command {
    static let description = CommandDescription(
        name: "dead list", summary: "list the messages that could not be answered",
        options: [
            Option("limit", value: "N", "no more than so many, the oldest first (100)"), DeadSelection.code, .json,
        ] + DeadTarget.options)

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let limit = try arguments.integer("limit", in: 1...UInt16.max) ?? 100
        let code = arguments[DeadSelection.code.name]
        let target = try DeadTarget(arguments, in: context)
        let printer = DeadLetterPrinter(console: context.console, json: arguments.has("json"))
        return try target.withQueue(limit: limit) { queue in
            var letters: [DeadLetter] = []
            let seen = try queue.read(atMost: Int(limit)) { letters += $0.filter { code == nil || $0.code == code } }
            printer.list(letters)
            if seen < queue.count { context.console.note("\(seen) of \(queue.count); --limit shows more") }
            return .success
        }
    }
}

/// `dead show`: one of them in full, but for tokens.
enum DeadShowCommand: Command {
    static let description = CommandDescription(
        name: "dead show", summary: "show such a message, its tokens hidden",
        operands: [Operand(name: "ID", summary: "as dead list prints it", repeats: true)],
        options: [.json] + DeadTarget.options)

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let selection = try DeadSelection(arguments)
        let printer = DeadLetterPrinter(console: context.console, json: arguments.has("json"))
        return try DeadTarget(arguments, in: context).withQueue { queue in
            var found: Set<String> = []
            _ = try queue.read(atMost: .max) { letters in
                for letter in letters where selection.matches(letter) {
                    printer.show(letter)
                    found.insert(letter.id)
                }
            }
            return selection.conclude(found, context.console)
        }
    }
}

/// `dead requeue`: sends them back to where they came from.
enum DeadRequeueCommand: Command {
    static let description = CommandDescription(
        name: "dead requeue", summary: "send such messages back to their queues",
        operands: [DeadSelection.operand], options: DeadSelection.options + DeadTarget.options,
        notes: [
            "A letter leaves the dead ones only after the broker has confirmed its copy. It is served under the name of"
                + " who sent it: for one of a user, connect as that user or as one with the tag impersonator."
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let target = try DeadTarget(arguments, in: context)
        return try target.change(arguments, in: context, "requeue", "requeued") { queue, letters in
            try queue.requeue(letters)
        }
    }
}

/// `dead drop`: takes them away for good.
enum DeadDropCommand: Command {
    static let description = CommandDescription(
        name: "dead drop", summary: "delete such messages",
        operands: [DeadSelection.operand], options: DeadSelection.options + DeadTarget.options)

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let target = try DeadTarget(arguments, in: context)
        return try target.change(arguments, in: context, "drop", "dropped") { queue, letters in
            queue.drop(letters)
            return []
        }
    }
}
