// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Platform
import TokenMessages
import TokenWorker

/// `policy test`: what the policy says of a message, by which rule, and why not by one before.
enum PolicyTestCommand: Command {
    static let description = CommandDescription(
        name: "policy test", summary: "say whether the policy allows a message, and which rule decides",
        operands: [Operand(name: "BODY", summary: "the message as JSON; - reads standard input", optional: true)],
        options: [
            Option("file", value: "PATH", "read the message from this file"),
            Option("user", value: "NAME", "the sender's user at the broker, its property user_id"),
            Option("app-id", value: "NAME", "the sender's property app_id"),
            Option("kind", value: "KIND", "request (default), renew, cancel or explain"),
            .json, .configurationFile,
        ] + SettingOptions.options(for: [.policyFile, .defaultLifetime]),
        notes: [
            "example: agora-token policy test --user orders '{\"channelName\":\"test\",\"uid\":1234}'",
            """
            Nothing is sent, signed or counted, and no lease is looked for: renew and cancel need the token in BODY, and
            are judged as if the lease were the caller's. The status is 0 where all of it is allowed, else 1.
            """,
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let word = arguments["kind"] ?? PolicyTrial.Message.Kind.request.rawValue
        guard let kind = PolicyTrial.Message.Kind(rawValue: word) else {
            throw CommandFailure(.usage, "--kind: \"\(word)\" is none of request, renew, cancel, explain")
        }
        var sources = try SettingOptions.sources(arguments, in: context)
        // The sender's here, not the project's.
        sources.flags["app-id"] = nil
        let trial = try PolicyTrial(sources)
        let message = PolicyTrial.Message(
            kind: kind, userID: arguments["user"], appID: arguments["app-id"], body: try body(arguments))
        let verdicts: [PolicyVerdict]
        do throws(MessageError) {
            verdicts = try trial.verdicts(on: message, at: UInt32(clamping: time(nil)))
        } catch {
            throw CommandFailure(.usage, "the message is refused before any rule is asked: \(error)")
        }
        if arguments.has(Option.json.name) {
            printJSON(verdicts, context.console)
        } else {
            for verdict in verdicts { print(verdict, context.console) }
        }
        return verdicts.allSatisfy(\.isAllowed) ? .success : .failure
    }

    private static func print(_ verdict: PolicyVerdict, _ console: Console) {
        console.print(verdict.line)
        for passed in verdict.passed { console.print("  not by rule \"\(passed.rule)\": \(passed.reason)") }
    }

    private static func printJSON(_ verdicts: [PolicyVerdict], _ console: Console) {
        var json = JSONWriter()
        if verdicts.count == 1 {
            verdicts[0].write(to: &json)
        } else {
            json.beginArray()
            for verdict in verdicts { verdict.write(to: &json) }
            json.endArray()
        }
        console.print(String(decoding: json.bytes, as: UTF8.self))
    }

    private static func body(_ arguments: Arguments) throws -> [UInt8] {
        switch (arguments.operands.first, arguments["file"]) {
        case (let text?, nil) where text != "-": return Array(text.utf8)
        case (nil, let path?), (let path?, nil):
            let source = path == "-" ? "/dev/stdin" : path
            do throws(TextFile.Failure) {
                return try TextFile.bytes(at: source)
            } catch {
                throw CommandFailure(.usage, "\(path): \(error.reason)")
            }
        default: throw CommandFailure(.usage, "give the message as BODY, as - for standard input, or with --file PATH")
        }
    }
}
