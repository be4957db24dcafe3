// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// One command of the command line.
///
/// To add one, write a type and put it into ``CommandTable/commands``.
protocol Command: SendableMetatype {
    /// What help and the parser need to know.
    static var description: CommandDescription { get }

    /// Does the work, on the main thread where it does not await; results go to standard output, everything else to standard error.
    static func run(_ arguments: Arguments, in context: CommandContext) async throws -> ExitStatus
}

/// The name, the options and the help of a command.
struct CommandDescription: Sendable {
    /// One or two words, as typed.
    let name: String
    /// One line for the list of commands.
    let summary: String
    var operands: [Operand] = []
    var options: [Option] = []
    /// Further paragraphs of the command's own help.
    var notes: [String] = []
}

/// What a command may use of the world around it.
struct CommandContext: Sendable {
    let environment: [String: String]
    let console: Console
}
