// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenClient
import TokenMessages

private let leaseOptions = [
    Option("token", value: "TOKEN", "the lease by its token"),
    Option("lease-id", value: "ID", "the lease by its id"),
]

/// `renew`: asks a worker for the next token of a lease.
enum RenewCommand: Command {
    static let description = CommandDescription(
        name: "renew", summary: "ask a worker for the next token of a lease",
        options: leaseOptions + [
            Option("expire", value: "SECONDS", "how long the new token lives; as the old one by default"),
            Option("before", value: "SECONDS", repeats: true, "notice so long before its end; may be repeated"),
            Option("generation", value: "N", "only if this is the newest token"),
            Option("message-id", value: "ID", "the same renewal again gets the same token"),
            .json,
        ] + ClientOptions.all,
        notes: ["Arguments are seen by other users of the machine: prefer --lease-id to --token on shared ones."])

    static func run(_ arguments: Arguments, in context: CommandContext) async throws -> ExitStatus {
        let body = try RequestBody.renewal(arguments)
        return try await ClientOptions.call(arguments, in: context, part: "renew") { client throws(ClientError) in
            try await client.call(.renew, body, messageID: arguments["message-id"])
        }
    }
}

/// `cancel`: ends a lease.
enum CancelCommand: Command {
    static let description = CommandDescription(
        name: "cancel", summary: "end a lease: no more notices, no renewal",
        options: leaseOptions + [
            Option("message-id", value: "ID", "the same cancellation again gets the same answer"), .json,
        ] + ClientOptions.all,
        notes: ["The token itself stays valid until it expires; Agora has no way to take it back."])

    static func run(_ arguments: Arguments, in context: CommandContext) async throws -> ExitStatus {
        let body = try RequestBody.cancellation(arguments)
        return try await ClientOptions.call(arguments, in: context, part: "cancel") { client throws(ClientError) in
            try await client.call(.cancel, body, messageID: arguments["message-id"])
        }
    }
}
