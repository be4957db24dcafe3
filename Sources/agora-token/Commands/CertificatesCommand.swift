// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import TokenMessages
import TokenWorker

/// `certificates`: what rests on each certificate, and when an old one can go.
enum CertificatesCommand: Command {
    static let description = CommandDescription(
        name: "certificates", summary: "say what rests on each certificate, and when an old one can go",
        options: [.json, .configurationFile] + SettingOptions.options(for: Setting.ofProject + [.store]),
        notes: [
            """
            Fingerprints are the beginning of a certificate's SHA-256. An old certificate can go when the last lease that
            rests on it has ended, and a day, the longest life of a token, after the last worker has changed to the
            active one. Until then its tokens are good at Agora, and renewals by them are accepted here.
            """
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let sources = try SettingOptions.sources(arguments, in: context)
        let projects = try Projects(sources)
        let location = try WorkerConfiguration.store(sources)
        let use: CertificateUse?
        do {
            use =
                location == .none
                ? nil : try LeaseRegister(location, origin: sources.value(of: .store)?.origin).certificateUse()
        } catch let error as StoreError {
            throw CommandFailure(.unavailable, "\(location): \(error)")
        }
        let report = CertificateReport(projects, use: use)
        if arguments.has(Option.json.name) {
            var json = JSONWriter()
            json.beginObject()
            report.write(to: &json)
            json.endObject()
            context.console.print(String(decoding: json.bytes, as: UTF8.self))
        } else {
            CertificatePrinter(console: context.console).print(report)
        }
        return .success
    }
}
