// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import TokenMessages
import TokenWorker

/// Options of the commands that need neither broker nor store.
enum OfflineOptions {
    /// Who joins or logs in.
    static let user = [
        Option("channel", value: "NAME", "the channel"),
        Option("uid", value: "N", "the user by number"),
        Option("account", value: "NAME", "the user by account, or the user of rtm"),
    ]

    /// The project and its certificate.
    static let project = [Option.configurationFile] + SettingOptions.options(for: Setting.ofProject)

    /// The user that was given.
    static func user(_ arguments: Arguments) throws(CommandFailure) -> RTCUser? {
        let uid: UInt32? = try arguments.integer("uid", in: 0...UInt32.max)
        if let account = arguments["account"] {
            guard uid == nil else { throw CommandFailure(.usage, "--uid and --account exclude each other") }
            return .account(account)
        }
        return uid.map { .uid($0) }
    }

    /// The service that was given.
    static func service(
        _ arguments: Arguments, _ kind: (String) -> Service.Kind? = Service.Kind.init(name:)
    ) throws(CommandFailure) -> Service.Kind? {
        guard let name = arguments["service"] else { return nil }
        guard let kind = kind(name) else {
            throw CommandFailure(.usage, "--service: \"\(name)\" is none of \(Service.Kind.names)")
        }
        return kind
    }

    /// The configured projects, or none where no certificate is configured: an App ID alone signs and checks nothing.
    static func projects(
        _ arguments: Arguments, in context: CommandContext
    ) throws(ConfigurationError) -> Projects? {
        let sources = try SettingOptions.sources(arguments, in: context)
        let certificates = try [sources.value(of: .certificate), sources.value(of: .secondaryCertificate)]
        let isConfigured = certificates.contains { $0 != nil } || !sources.file.projects.isEmpty
        return isConfigured ? try Projects(sources) : nil
    }
}
