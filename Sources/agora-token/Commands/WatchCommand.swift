// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TokenClient
import TokenMessages
import TokenWorker

/// `watch`: shows notices as they come.
enum WatchCommand: Command {
    static let description = CommandDescription(
        name: "watch", summary: "show notices as they come",
        options: [
            Option("all", "everybody's notices, not only one caller's"),
            Option("caller", value: "CALLER", "the notices of this caller, such as u-alice"),
            Option("queue", value: "NAME", "hear from this durable queue instead of a temporary one"),
            Option("count", value: "N", "end after so many notices"),
            Option("for", value: "SECONDS", "end after so many seconds"),
            .json,
        ] + ClientOptions.all.filter { $0.name != "timeout" },
        notes: ["Notices of tokens that have been replaced, and copies of a notice, are left out."])

    static func run(_ arguments: Arguments, in context: CommandContext) async throws -> ExitStatus {
        let configuration = try ClientOptions.configuration(arguments, in: context, part: "watch")
        let count: Int? = try arguments.integer("count", in: 1...Int.max)
        let seconds: Int? = try arguments.integer("for", in: 1...1_000_000)
        let source: NoticeSubscription.Source =
            if let queue = arguments["queue"] {
                .queue(queue)
            } else if arguments.has("all") {
                .temporary(nil)
            } else {
                .temporary(arguments["caller"].map { Caller(text: $0) } ?? configuration.caller)
            }
        let console = context.console
        let (states, changes) = AsyncStream.makeStream(of: ConnectionState.self)
        let subscription = NoticeSubscription(configuration, source: source) { changes.yield($0) }
        subscription.start()
        let outcome = Task {
            var outcome = Outcome.unreachable
            for await state in states {
                note(state, source, console)
                if state == .ready { outcome = .heard }
                if isGone(state, source) {
                    outcome = .missing
                    subscription.close()
                }
            }
            return outcome
        }
        let timer = seconds.map { seconds in
            Task {
                try? await Task.sleep(for: .seconds(seconds))
                subscription.close()
            }
        }
        let printer = ReplyPrinter(console: console, json: arguments.has(Option.json.name))
        var left = count ?? Int.max
        var notices = subscription.notices.makeAsyncIterator()
        while left > 0, let notice = await notices.next() {
            printer.print(notice)
            left -= 1
            if console.output.failure != nil { break }
        }
        if console.output.failure == nil { notices.finish() }
        timer?.cancel()
        subscription.close()
        changes.finish()
        guard console.output.failure == nil else { return .failure }
        switch await outcome.value {
        case .missing: return .failure
        case .unreachable where count != nil && left > 0: return .unavailable
        case .unreachable, .heard:
            guard let count, left > 0 else { return .success }
            throw CommandFailure(.failure, "\(count - left) of \(count) notices came")
        }
    }

    /// How the broker was found.
    private enum Outcome {
        case heard
        case missing
        case unreachable
    }

    /// Whether the queue that was asked for does not exist, which waiting does not change.
    private static func isGone(_ state: ConnectionState, _ source: NoticeSubscription.Source) -> Bool {
        guard case .queue = source, case .incomplete(let errors) = state else { return false }
        return errors.contains { $0.code == .notFound }
    }

    private static func note(_ state: ConnectionState, _ source: NoticeSubscription.Source, _ console: Console) {
        switch state {
        case .ready:
            let whose =
                switch source {
                case .temporary(nil): "of everybody"
                case .temporary(let caller?): "of \(caller)"
                case .queue(let name): "in \(name)"
                }
            console.note("watching notices \(whose)")
        case .incomplete(let errors): console.note("not watching: \(errors.map(\.description).joined(separator: "; "))")
        case .unreachable(let error, retryAfter: _): console.note("not connected: \(error)")
        default: break
        }
    }
}
