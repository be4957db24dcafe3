// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenWorker

/// The worker's settings as options of a command.
enum SettingOptions {
    /// One option for each setting that has a flag.
    static let all = options(for: Setting.all)

    /// Options for some of them.
    static func options(for settings: [Setting]) -> [Option] {
        settings.compactMap { setting in
            setting.flag.map { Option($0, value: placeholder(of: $0), setting.summary) }
        }
    }

    /// The places that a command's settings come from.
    ///
    /// - Throws: ``ConfigurationError`` when the configuration file is named and wrong.
    static func sources(_ arguments: Arguments, in context: CommandContext) throws(ConfigurationError) -> SettingSources
    {
        var flags: [String: String] = [:]
        for flag in (Setting.all + Setting.gateway).compactMap(\.flag) { flags[flag] = arguments[flag] }
        var sources = SettingSources(flags: flags, environment: context.environment)
        if let path = arguments[Option.configurationFile.name] ?? context.environment["AGORA_TOKEN_CONFIG"] {
            sources.file = try ConfigurationFile(path: path)
        }
        return sources
    }

    private static func placeholder(of flag: String) -> String {
        switch flag {
        case "amqp": "URL"
        case "store": "STORE"
        case "policy", "audit": "PATH"
        case _ where flag.hasSuffix("-file"): "PATH"
        case "http", "listen": "ADDRESS"
        case "allow-origin": "ORIGIN"
        case "app-id": "ID"
        case "prefix": "NAME"
        case "log", "direct-reply-to", "app-active-certificate": "WHICH"
        default: "N"
        }
    }
}

extension Option {
    /// The file that settings are read from.
    static let configurationFile = Option(
        "config", value: "PATH", "read settings from this JSON5 file (AGORA_TOKEN_CONFIG)")
}
