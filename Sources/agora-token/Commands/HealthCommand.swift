// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenWorker

/// `health`: asks a worker on this host how it is, as the health check of a container does.
enum HealthCommand: Command {
    static let description = CommandDescription(
        name: "health", summary: "ask the worker on this host whether it could serve a request",
        options: [
            .configurationFile, Option("live", "ask /livez in place of /readyz: whether a new start would help"),
        ] + SettingOptions.options(for: [.http]),
        notes: ["Exit 0: yes; 1: no, and what is in the way; 4: nothing answers there."])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let value = try SettingOptions.sources(arguments, in: context).value(of: .http)
        let address = try value.map { value throws(ConfigurationError) in try HTTPAddress(value) } ?? .standard
        guard let base = address.localURL else {
            throw ConfigurationError(value?.origin ?? Setting.http.variable, "\(address) is no address to ask at")
        }
        do {
            let answer = try ManagementClient(base: base).send("GET", arguments.has("live") ? "/livez" : "/readyz")
            context.console.output.write(answer.body)
            return answer.status == 200 ? .success : .failure
        } catch {
            throw CommandFailure(.unavailable, "\(error)")
        }
    }
}
