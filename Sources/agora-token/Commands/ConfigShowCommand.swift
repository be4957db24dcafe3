// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages
import TokenWorker

/// `config show`: the configuration as it counts, with where each value comes from.
enum ConfigShowCommand: Command {
    static let description = CommandDescription(
        name: "config show", summary: "show the configuration as it counts, and where each value comes from",
        options: [.json, .configurationFile] + SettingOptions.all,
        notes: [
            "No secret is shown: of URLs where they lead, of certificates their fingerprints."
                + " Exit 3 when the configuration is not complete."
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let report = ConfigurationReport(try SettingOptions.sources(arguments, in: context))
        if arguments.has(Option.json.name) {
            var json = JSONWriter()
            json.beginObject()
            report.write(to: &json)
            json.endObject()
            context.console.print(String(decoding: json.bytes, as: UTF8.self))
        } else {
            print(report, context.console)
        }
        guard let fault = report.fault else { return .success }
        throw CommandFailure(.configuration, fault)
    }

    private static func print(_ report: ConfigurationReport, _ console: Console) {
        var rows = report.lines.map {
            [$0.key, Redacted.printable($0.value ?? $0.fault.map { _ in "wrong" } ?? "-"), $0.source]
        }
        for project in report.projects {
            rows.append(["project", project.appID + (project.isDefault ? ", the default" : ""), project.source])
            for certificate in project.certificates {
                let use = certificate.slot == project.active ? "signs" : "accepted"
                rows.append(["  \(certificate.slot.rawValue)", "\(certificate.fingerprint), \(use)", ""])
            }
        }
        for line in TextTable(titles: ["SETTING", "VALUE", "FROM"], rows: rows).lines { console.print(line) }
    }
}
