// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing

@testable import agora_token

@Suite struct ProgramTests {
    private let shell = Shell()
    private let complete = [
        "AGORA_APP_ID": "970CA35de60c44645bbae8a215061b33",
        "AGORA_APP_CERTIFICATE": "5CFd2fd1755d40ecb72977518be15d3b", "AMQP_URL": "amqp://u:hunter2@127.0.0.1:1",
        "DATABASE_URL": "none",
    ]

    @Test func helpListsEveryCommandAndVersionIsOneLine() async {
        let help = await shell.run("--help")
        #expect(help.status == .success)
        for command in CommandTable.commands { #expect(help.output.contains("  \(command.description.name) ")) }
        let version = await shell.run("--version")
        #expect(version.status == .success)
        #expect(version.output.split(separator: "\n").count == 1)
    }

    @Test func everyCommandExplainsItself() async {
        for command in CommandTable.commands {
            let name = command.description.name
            let page = await Shell().run(name, in: "--help")
            #expect(page.status == .success, "\(name)")
            #expect(page.output.contains("usage: agora-token \(name)"))
            for option in command.description.options { #expect(page.output.contains("--\(option.name)")) }
        }
    }

    @Test func namesAndOptionsAreUnique() {
        let names = CommandTable.commands.map { $0.description.name }
        #expect(Set(names).count == names.count)
        for command in CommandTable.commands {
            let options = command.description.options.map(\.name)
            #expect(Set(options).count == options.count, "\(command.description.name)")
        }
    }

    @Test func wrongUsageIsStatusTwo() async {
        #expect(await shell.run().status == .usage)
        #expect(await shell.run("nonsense").status == .usage)
        let topology = await shell.run("topology")
        #expect(topology.status == .usage)
        #expect(topology.errors.contains("topology apply"))
        #expect(await shell.run("worker", "--nonsense").status == .usage)
        #expect(await Shell(environment: complete).run("renew").status == .usage)
    }

    /// Nothing of a command line is passed over: it would ask for another token than the one that was meant.
    @Test(arguments: [
        (["request", "{}", "--uid", "1"], "give BODY or options; --uid is beside BODY"),
        (["request", "--no-lease", "{}"], "give BODY or options; --no-lease is beside BODY"),
        (["request", "--channel", "a", "--channel", "b"], "--channel is given twice"),
        (["request"], "give --channel NAME with --uid N or --account NAME, another --service NAME, or BODY"),
        (
            ["request", "--channel", "a", "--expire", "abc"],
            "--expire: \"abc\" is not a whole number of seconds from 1 to 86400"
        ),
        (
            ["request", "--channel", "a", "--uid", "1", "--anonymous", "--as-application", "b"],
            "--as-application and --anonymous exclude each other"
        ),
    ]) func whatExcludesEachOtherIsRefused(words: [String], message: String) async {
        let result = await Shell(environment: complete).run(words)
        #expect(result.status == .usage)
        #expect(result.errors == "agora-token request: \(message)\n")
    }

    @Test func aCompleteConfigurationPassesWithoutShowingSecrets() async {
        let result = await Shell(environment: complete).run("config", "check")
        #expect(result.status == .success)
        for secret in ["hunter2", complete["AGORA_APP_CERTIFICATE"] ?? ""] {
            #expect(!(result.output + result.errors).contains(secret))
        }
    }

    @Test(arguments: [
        ("AGORA_APP_ID", nil), ("AGORA_APP_ID", "123"), ("AGORA_APP_CERTIFICATE", nil),
        ("AGORA_APP_CERTIFICATE", "hunter2"), ("AMQP_URL", nil), ("AMQP_URL", "http://hunter2@x"),
        ("AMQP_URL", "amqp://u:hunter2@h:99999"), ("DATABASE_URL", "mysql://u:hunter2@h/d"),
        ("AGORA_TOKEN_PREFIX", "a b"), ("AGORA_TOKEN_PREFETCH", "0"), ("AGORA_TOKEN_LOG", "loud"),
        ("AGORA_TOKEN_DIRECT_REPLY_TO", "yes"), ("AGORA_TOKEN_DEFAULT_LIFETIME", "86401"),
    ]) func aWrongSettingIsOneLineThatNamesIt(variable: String, value: String?) async {
        var environment = complete
        environment[variable] = value
        for words in [["config", "check"], ["worker"]] {
            let result = await Shell(environment: environment).run(words[0], in: words.dropFirst().first)
            #expect(result.status == .configuration)
            #expect(result.output.isEmpty)
            #expect(result.errors.split(separator: "\n").count == 1)
            #expect(result.errors.contains("\(variable): "))
            #expect(!result.errors.contains("hunter2"))
        }
    }

    @Test func aDatabaseThatCannotBeOpenedStopsTheStart() async {
        var environment = complete
        environment["DATABASE_URL"] = "sqlite:/nowhere/leases.db"
        let result = await Shell(environment: environment).run("worker")
        #expect(result.status == .configuration)
        #expect(result.errors.contains("/nowhere/leases.db"))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [["lease", "list"], ["forecast"], ["store", "migrate"], ["certificates"]])
    func theFlagOfADatabaseIsNamed(_ words: [String]) async {
        let result = await Shell(environment: complete).run(words + ["--store", "sqlite:/nowhere/leases.db"])
        #expect(result.status == .configuration)
        #expect(result.errors.contains(": --store: sqlite:/nowhere/leases.db: "), "\(result.errors)")
    }

    @Test func aBrokerThatIsAwayIsNamedOnce() async {
        let result = await Shell(environment: complete).run("topology", "check")
        #expect(result.status == .unavailable)
        #expect(result.errors.split(separator: "amqp://").count == 2, "\(result.errors)")
        let none = await shell.run("topology", "check")
        #expect(none.status == .configuration)
        #expect(none.errors.contains("--amqp"))
    }

    @Test func aBrokerThatIsAwayIsStatusFour() async {
        let result = await Shell(environment: complete).run("request", "--channel", "a", "--uid", "1", "--timeout", "5")
        #expect(result.status == .unavailable)
        #expect(!result.errors.contains("hunter2"))
    }
}

extension Shell {
    /// Runs a command whose name may have two words.
    func run(_ name: String, in last: String?) async -> Result {
        let words = name.split(separator: " ").map(String.init) + (last.map { [$0] } ?? [])
        return switch words.count {
        case 1: await run(words[0])
        case 2: await run(words[0], words[1])
        default: await run(words[0], words[1], words[2])
        }
    }
}
