// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TokenClient
import TokenMessages
import TokenWorker

/// What every command that asks a worker takes.
enum ClientOptions {
    static let all =
        [
            .configurationFile,
            Option("as-application", value: "NAME", "ask as this application instead of as the broker's user"),
            Option("anonymous", "ask as nobody in particular"),
            Option("timeout", value: "SECONDS", "how long to wait for the reply (10)"),
        ] + SettingOptions.options(for: [.broker, .prefix])

    /// Reads them.
    static func configuration(
        _ arguments: Arguments, in context: CommandContext, part: String
    ) throws -> ClientConfiguration {
        let sources = try SettingOptions.sources(arguments, in: context)
        var configuration = ClientConfiguration(
            endpoints: try WorkerConfiguration.brokers(sources), names: try WorkerConfiguration.names(sources),
            connectionName: "agora-token \(part) \(ProcessIdentity.host)/\(ProcessIdentity.pid)",
            waitsForBroker: false)
        configuration.endpointsFile = sources.file(of: .broker)
        if arguments["as-application"] != nil, arguments.has("anonymous") {
            throw CommandFailure(.usage, "--as-application and --anonymous exclude each other")
        }
        if let name = arguments["as-application"] { configuration.identity = .application(name) }
        if arguments.has("anonymous") { configuration.identity = .anonymous }
        if let seconds: Int = try arguments.integer("timeout", in: 1...3600) {
            configuration.timeout = .seconds(seconds)
        }
        return configuration
    }

    /// Runs one call on a client of its own, and turns its errors into exit statuses.
    static func call(
        _ arguments: Arguments, in context: CommandContext, part: String,
        _ call: (TokenClient) async throws(ClientError) -> Reply
    ) async throws -> ExitStatus {
        let client = TokenClient(try configuration(arguments, in: context, part: part))
        client.start()
        defer { client.close() }
        do throws(ClientError) {
            let reply = try await call(client)
            ReplyPrinter(console: context.console, json: arguments.has(Option.json.name)).print(reply)
            return .success
        } catch {
            switch error {
            case .refused(let reason) where arguments.has(Option.json.name):
                context.console.print(String(decoding: reason.encode(), as: UTF8.self))
                return .failure
            case .timedOut, .unavailable: throw CommandFailure(.unavailable, "\(error)")
            case .refused, .cancelled, .unreadable: throw CommandFailure(.failure, "\(error)")
            }
        }
    }
}
