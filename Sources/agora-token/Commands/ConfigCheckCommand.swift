// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TokenMessages
import TokenWorker

/// `config check`: reads the configuration as the worker would, and says whether it would start.
enum ConfigCheckCommand: Command {
    static let description = CommandDescription(
        name: "config check", summary: "check the configuration that a worker would start with",
        options: [.json, .configurationFile] + SettingOptions.all)

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let isForMachines = arguments.has(Option.json.name)
        let configuration: WorkerConfiguration
        do throws(ConfigurationError) {
            configuration = try WorkerConfiguration(SettingOptions.sources(arguments, in: context))
        } catch {
            guard isForMachines else { throw error }
            var json = JSONWriter()
            json.beginObject()
            json.member("complete", false)
            json.member("setting", error.setting)
            json.member("problem", error.problem)
            json.endObject()
            context.console.print(String(decoding: json.bytes, as: UTF8.self))
            return .configuration
        }
        let projects = configuration.projects.all.map(\.name)
        guard isForMachines else {
            context.console.print(
                "the configuration is complete: \(projects.joined(separator: ", ")); \(configuration.broker); "
                    + "\(configuration.store); \(configuration.policy.summary)")
            return .success
        }
        var json = JSONWriter()
        json.beginObject()
        json.member("complete", true)
        json.member("projects", projects)
        json.member("broker", configuration.broker.description)
        json.member("store", configuration.store.description)
        json.member("policy", configuration.policy.summary)
        json.endObject()
        context.console.print(String(decoding: json.bytes, as: UTF8.self))
        return .success
    }
}
