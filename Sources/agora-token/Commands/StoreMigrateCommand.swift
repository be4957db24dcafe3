// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenWorker

/// `store migrate`: makes the tables, or brings them to this program's version.
enum StoreMigrateCommand: Command {
    static let description = CommandDescription(
        name: "store migrate", summary: "make the tables of the lease store, or bring them up to date",
        options: [.configurationFile] + SettingOptions.options(for: [.store]),
        notes: ["Workers may go on meanwhile. An SQLite file is made by the worker itself."])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let sources = try SettingOptions.sources(arguments, in: context)
        let origin = try sources.value(of: .store)?.origin
        context.console.print(try WorkerConfiguration.store(sources).migrate(origin: origin))
        return .success
    }
}
