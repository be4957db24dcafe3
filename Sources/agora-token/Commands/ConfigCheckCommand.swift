// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenWorker

/// `config check`: reads the configuration as the worker would, and says whether it would start.
enum ConfigCheckCommand: Command {
    static let description = CommandDescription(
        name: "config check", summary: "check the configuration as the worker reads it",
        options: [.configurationFile] + SettingOptions.all)

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let configuration = try WorkerConfiguration(SettingOptions.sources(arguments, in: context))
        let projects = configuration.projects.all.map(\.name).joined(separator: ", ")
        context.console.print(
            "the configuration is complete: \(projects); \(configuration.broker); \(configuration.store); "
                + configuration.policy.summary)
        return .success
    }
}
