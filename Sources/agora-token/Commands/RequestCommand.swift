// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenClient
import TokenMessages

/// `request`: asks a worker for a token.
enum RequestCommand: Command {
    /// What stands for the fields of the body.
    private static let fields = [
        Option("service", value: "NAME", "rtc (default), rtm, rtc+rtm, chat-user and others"),
        Option("channel", value: "NAME", "the channel"),
        Option("uid", value: "N", "the user by number; 0 is any user"),
        Option("account", value: "NAME", "the user by account"),
        Option("user-id", value: "NAME", "the user of rtm, rtm2 or chat-user"),
        Option("room", value: "UUID", "the room of apaas-room-user"),
        Option("user-uuid", value: "UUID", "the user of apaas-room-user or apaas-user"),
        Option("apaas-role", value: "N", "the number of the user's role in the room"),
        Option("role", value: "ROLE", "publisher (default) or subscriber"),
        Option("expire", value: "SECONDS", "how long the token lives"),
        Option("before", value: "SECONDS", repeats: true, "notice so long before its end; may be repeated"),
        Option("token-version", value: "VERSION", "007 (default) or 006"),
        Option("dry-run", "everything but the signature and the lease"),
        Option("no-lease", "no notices and no renewal"),
        Option("lease-id", value: "ID", "an own name for the lease"),
        Option("project", value: "APP-ID", "which of the configured projects"),
    ]

    static let description = CommandDescription(
        name: "request", summary: "ask a worker for a token",
        operands: [Operand(name: "BODY", summary: "the request as JSON, instead of options", optional: true)],
        options: fields + [
            Option("message-id", value: "ID", "the same request again gets the same token"),
            .json,
        ] + ClientOptions.all,
        notes: ["example: agora-token request --channel test --uid 1234"])

    static func run(_ arguments: Arguments, in context: CommandContext) async throws -> ExitStatus {
        let body = try body(of: arguments)
        return try await ClientOptions.call(arguments, in: context, part: "request") { client throws(ClientError) in
            try await client.call(.request, body, messageID: arguments["message-id"])
        }
    }

    private static func body(of arguments: Arguments) throws(CommandFailure) -> [UInt8] {
        guard let body = arguments.operands.first else {
            guard fields.contains(where: { arguments.has($0.name) }) else {
                throw CommandFailure(
                    .usage, "give --channel NAME with --uid N or --account NAME, another --service NAME, or BODY")
            }
            return try RequestBody.request(arguments)
        }
        if let field = fields.first(where: { arguments.has($0.name) }) {
            throw CommandFailure(.usage, "give BODY or options; --\(field.name) is beside BODY")
        }
        return Array(body.utf8)
    }
}
