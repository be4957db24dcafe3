// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TokenMessages
import TokenWorker

/// The queue that the commands for dead letters work on.
struct DeadTarget {
    static let options = [Option.configurationFile] + SettingOptions.options(for: [.broker, .prefix])

    let brokers: [AMQPURL]
    let names: Names

    init(_ arguments: Arguments, in context: CommandContext) throws(ConfigurationError) {
        let sources = try SettingOptions.sources(arguments, in: context)
        brokers = try WorkerConfiguration.brokers(sources)
        names = try WorkerConfiguration.names(sources)
    }

    /// Reads the queue, with at most `limit` letters in hand.
    func withQueue(
        limit: UInt16 = .max, _ body: (DeadLetterQueue) throws -> ExitStatus
    ) throws -> ExitStatus {
        do {
            let queue = try DeadLetterQueue(
                ConnectionConfiguration(endpoints: brokers, connectionName: "agora-token dead"), names: names,
                limit: limit)
            defer { queue.close() }
            return try body(queue)
        } catch let error as AMQPError {
            throw CommandFailure(.unavailable, "\(names.deadQueue): \(error)")
        }
    }

    /// Does something with the letters that the command line names, and says so for each.
    ///
    /// `work` returns those that it could not be done with, and why.
    func change(
        _ arguments: Arguments, in context: CommandContext, _ verb: String, _ done: String,
        _ work: (DeadLetterQueue, [DeadLetter]) throws -> [(letter: DeadLetter, reason: String)]
    ) throws -> ExitStatus {
        let selection = try DeadSelection(arguments)
        let console = context.console
        return try withQueue { queue in
            var found: Set<String> = []
            var failures = 0
            let seen = try queue.read(atMost: .max) { letters in
                let chosen = letters.filter(selection.matches)
                found.formUnion(chosen.map(\.id))
                guard !arguments.has("dry-run") else {
                    for letter in chosen { console.print("would \(verb) \(text(letter))") }
                    return
                }
                let failed = try chosen.isEmpty ? [] : work(queue, chosen)
                failures += failed.count
                let reasons = Dictionary(failed.map { ($0.letter, $0.reason) }) { first, _ in first }
                for letter in chosen where reasons[letter] == nil { console.print("\(done) \(text(letter))") }
                for (letter, reason) in failed { console.note("\(letter.id) stays: \(reason)") }
            }
            if seen < queue.count { console.note("looked at \(seen) of \(queue.count) letters") }
            let status = selection.conclude(found, console)
            return failures == 0 ? status : .failure
        }
    }

    private func text(_ letter: DeadLetter) -> String {
        "\(letter.id) \(Redacted.line(letter.code)) \(Redacted.line(letter.originalQueue ?? "-"))"
    }
}
