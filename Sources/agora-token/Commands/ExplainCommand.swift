// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import TokenMessages
import TokenWorker

/// `explain`: says what a token says, and why Agora would refuse it.
enum ExplainCommand: Command {
    static let description = CommandDescription(
        name: "explain", summary: "say what a token says, and why Agora would refuse it; offline",
        operands: [Operand(name: "TOKEN", summary: "the token", optional: true)],
        options: OfflineOptions.user + [
            Option("service", value: "NAME", "what it is used for, as in requests; by default rtc, or what it is for"),
            Option("at", value: "SECONDS", "when it is used, in seconds since 1970; by default now"),
            Option("batch", "read JSON Lines from standard input"),
            .json,
        ] + OfflineOptions.project,
        notes: [
            "example: agora-token explain 007eJx… --channel test --uid 1234",
            """
            With --batch each line is an object with token, and optionally id, appId, appCertificate, service,
            channelName, uid, account or userId, at. The status is 1 when a token would be refused.
            """,
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let configured = try OfflineOptions.projects(arguments, in: context)
        let projects = configured?.certificates ?? [:]
        if arguments.has("batch") { return explainBatch(projects, in: context) }
        guard let token = arguments.operands.first else {
            throw CommandFailure(.usage, "missing TOKEN, or --batch to read lines")
        }
        let report = TokenReport(
            token, projects: projects, service: try OfflineOptions.service(arguments, Service.Kind.init(usedFor:)),
            channel: arguments["channel"],
            user: try OfflineOptions.user(arguments), at: try arguments.integer("at", in: 0...UInt32.max))
        if arguments.has(Option.json.name) {
            var json = JSONWriter()
            json.beginObject()
            report.write(to: &json)
            json.endObject()
            context.console.print(String(decoding: json.bytes, as: UTF8.self))
        } else {
            ReportPrinter(console: context.console).print(report)
        }
        return report.isAccepted ? .success : .failure
    }

    private static func explainBatch(
        _ projects: [AppID: [AppCertificate]], in context: CommandContext
    ) -> ExitStatus {
        var input = StandardInput()
        var status = ExitStatus.success
        input.answer(to: context.console.output) { line in
            let answer = ExplainLine.answer(line, projects: projects)
            if !answer.isAccepted { status = .failure }
            return answer.line
        }
        return status
    }
}
