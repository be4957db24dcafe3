// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import TokenMessages
import TokenWorker

/// `sign`: makes tokens without a worker.
enum SignCommand: Command {
    static let description = CommandDescription(
        name: "sign", summary: "make a token without a worker",
        options: OfflineOptions.user + [
            Option("service", value: "NAME", "rtc (default) or rtm"),
            Option("role", value: "ROLE", "publisher (default) or subscriber"),
            Option("expire", value: "SECONDS", "how long the token lives (3600)"),
            Option("stored", "faster to make and some 20 characters longer"),
            Option("batch", "read JSON Lines from standard input"),
        ] + OfflineOptions.project,
        notes: [
            "example: agora-token sign --channel test --uid 1234",
            """
            With --batch each line is an object with id, appId, appCertificate, issueTs, salt, expire and services, or
            with "version":"006" and ts, salt, channelName, account, privileges; it is answered by {"id":…,"token":…} or
            {"id":…,"error":{…}}. Only the format's own rules are checked. The status is 1 when a line had an error.
            """,
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        if arguments.has("batch") { return signBatch(arguments, in: context) }
        guard let project = try OfflineOptions.projects(arguments, in: context)?.standard else {
            throw CommandFailure(
                .configuration, "no project: set AGORA_APP_ID and AGORA_APP_CERTIFICATE, or AGORA_APP_CERTIFICATE_FILE")
        }
        let token = try token(arguments, project)
        do throws(TokenError) {
            context.console.print(
                try token.signed(
                    with: project.certificate, compression: arguments.has("stored") ? .stored : .identical))
        } catch {
            throw CommandFailure(.failure, "\(error)")
        }
        return .success
    }

    private static func token(_ arguments: Arguments, _ project: Project) throws(CommandFailure) -> AccessToken {
        let lifetime: UInt32 = try arguments.integer("expire", in: 1...AccessToken.maximumLifetime) ?? 3_600
        let user = try OfflineOptions.user(arguments)
        switch try OfflineOptions.service(arguments) ?? .rtc {
        case .rtc:
            guard let channel = arguments["channel"], let user else {
                throw CommandFailure(.usage, "rtc needs --channel NAME, and --uid N or --account NAME")
            }
            return .rtc(
                appID: project.appID, channel: channel, user: user, role: try role(arguments), lifetime: lifetime)
        case .rtm:
            guard case .account(let name) = user else { throw CommandFailure(.usage, "rtm needs --account NAME") }
            return .rtm(appID: project.appID, userID: name, lifetime: lifetime)
        case let kind:
            throw CommandFailure(.usage, "--service: \(kind.name) is made with --batch only")
        }
    }

    private static func role(_ arguments: Arguments) throws(CommandFailure) -> RTCRole {
        switch arguments["role"] {
        case nil, "publisher", "1": return .publisher
        case "subscriber", "2": return .subscriber
        case let role?: throw CommandFailure(.usage, "--role: \"\(role)\" is neither publisher nor subscriber")
        }
    }

    private static func signBatch(_ arguments: Arguments, in context: CommandContext) -> ExitStatus {
        var input = StandardInput()
        var status = ExitStatus.success
        let isStored = arguments.has("stored")
        input.answer(to: context.console.output) { line in
            let answer = SignLine.answer(line, isStored: isStored)
            if !answer.isSigned { status = .failure }
            return answer.line
        }
        return status
    }
}
