// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TokenMessages
import TokenWorker

/// `doctor`: looks at everything that a worker needs.
enum DoctorCommand: Command {
    static let description = CommandDescription(
        name: "doctor", summary: "look at everything that a worker needs, and say what to do",
        options: [
            .json,
            Option("management", value: "URL", "the management API, http://HOST:PORT (AGORA_TOKEN_MANAGEMENT)"),
            .configurationFile,
        ] + SettingOptions.all,
        notes: [
            "Broker, store, clock, certificates, policy and settings, a line each: ok, warn or fail. Exit 1 when one fails.",
            "It changes nothing. Run it as the worker's user, with the worker's settings, beside the worker or before it."
                + " The broker's log shows some refusals: permissions are tried with operations that are not valid.",
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let sources = try SettingOptions.sources(arguments, in: context)
        let url = arguments["management"] ?? context.environment["AGORA_TOKEN_MANAGEMENT"]
        let broker = try? WorkerConfiguration.brokers(sources).first
        let management = url.map {
            ManagementClient(base: $0, user: broker?.user ?? "", password: broker?.password ?? "")
        }
        let doctor = Doctor(
            sources,
            configurationFile: arguments[Option.configurationFile.name] ?? context.environment["AGORA_TOKEN_CONFIG"],
            management: management)
        let isForMachines = arguments.has(Option.json.name)
        var all: [Diagnosis] = []
        doctor.examine { diagnosis in
            all.append(diagnosis)
            if !isForMachines { print(diagnosis, context.console) }
        }
        let isWell = !all.contains { $0.level == .fail }
        if isForMachines { printJSON(all, isWell: isWell, context.console) }
        return isWell ? .success : .failure
    }

    private static func print(_ diagnosis: Diagnosis, _ console: Console) {
        let area = diagnosis.area.rawValue
        let level = diagnosis.level.rawValue
        let indent = String(repeating: " ", count: 6)
        console.print(
            level + String(repeating: " ", count: 6 - level.count) + area
                + String(repeating: " ", count: 14 - area.count) + Redacted.printable(diagnosis.text))
        if let advice = diagnosis.advice {
            console.print(indent + String(repeating: " ", count: 14) + "→ " + Redacted.printable(advice))
        }
    }

    private static func printJSON(_ diagnoses: [Diagnosis], isWell: Bool, _ console: Console) {
        var json = JSONWriter()
        json.beginObject()
        json.member("ok", isWell)
        json.name("checks")
        json.beginArray()
        for diagnosis in diagnoses {
            json.beginObject()
            json.member("level", diagnosis.level.rawValue)
            json.member("area", diagnosis.area.rawValue)
            json.member("text", diagnosis.text)
            if let advice = diagnosis.advice { json.member("advice", advice) }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        console.print(String(decoding: json.bytes, as: UTF8.self))
    }
}
