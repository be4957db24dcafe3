// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Platform
import TokenWorker

/// The program: finds the command, runs it, and turns its end into an exit status.
@main
struct AgoraTokenCommand {
    /// Without some, the timers of Swift's own library end the process, and do not say why.
    private static let fewestFiles: UInt = 64

    static func main() async {
        StandardDescriptors.complete()
        let context = CommandContext(environment: ProcessEnvironment.current(), console: .standard)
        let files = OpenFiles.allow(fewestFiles)
        guard files >= fewestFiles else {
            context.console.note("agora-token: only \(files) files may be open at once, not \(fewestFiles): ulimit -n")
            exit(ExitStatus.configuration.rawValue)
        }
        exit(await run(Array(CommandLine.arguments.dropFirst()), in: context).rawValue)
    }

    /// Runs one command line; one whose results cannot be written has failed.
    nonisolated static func run(_ words: [String], in context: CommandContext) async -> ExitStatus {
        let status = await outcome(of: words, in: context)
        guard let reason = context.console.output.failure else { return status }
        context.console.note("agora-token: standard output: \(reason)")
        return status == .success ? .failure : status
    }

    private nonisolated static func outcome(of words: [String], in context: CommandContext) async -> ExitStatus {
        let console = context.console
        guard let first = words.first, first != "--help", first != "-h", first != "help" else {
            (words.isEmpty ? console.errors : console.output).write(Help.overview(of: CommandTable.commands))
            return words.isEmpty ? .usage : .success
        }
        if first == "--version" {
            console.print("agora-token \(Version.current)")
            return .success
        }
        guard let (command, length) = CommandTable.find(words) else {
            let known = CommandTable.continuations(of: first)
            console.note(
                known.isEmpty
                    ? "agora-token: unknown command \"\(first)\"; agora-token --help lists them"
                    : "agora-token: \(first) needs another word: \(known.joined(separator: ", "))")
            return .usage
        }
        let name = command.description.name
        let rest = words.dropFirst(length)
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            console.output.write(Help.page(for: command.description))
            return .success
        }
        do {
            return try await command.run(ArgumentParser(description: command.description).parse(rest), in: context)
        } catch let failure as CommandFailure {
            console.note("agora-token \(name): \(failure.message)")
            return failure.status
        } catch let error as ConfigurationError {
            console.note("agora-token \(name): \(error)")
            return .configuration
        } catch {
            console.note("agora-token \(name): \(error)")
            return .failure
        }
    }
}
