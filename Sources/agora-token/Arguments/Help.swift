// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The texts that `--help` prints.
enum Help {
    /// The list of commands.
    static func overview(of commands: [any Command.Type]) -> String {
        var text = """
            agora-token issues Agora tokens over RabbitMQ and tells before they run out.

            usage: agora-token COMMAND [OPTION…]

            commands:

            """
        text += table(commands.map { ($0.description.name, $0.description.summary) })
        text += """

            agora-token COMMAND --help explains a command; --version prints the version.
            exit status: 0 done, 1 refused or failed, 2 wrong usage, 3 wrong configuration, 4 not reachable.

            """
        return text
    }

    /// What one command does and takes.
    static func page(for command: CommandDescription) -> String {
        var text = "\(command.summary)\n\nusage: agora-token \(command.name)"
        for operand in command.operands {
            let word = operand.repeats ? "\(operand.name)…" : operand.name
            text += operand.optional ? " [\(word)]" : " \(word)"
        }
        text += " [OPTION…]\n"
        if !command.operands.isEmpty {
            text += "\n" + table(command.operands.map { ($0.name, $0.summary) })
        }
        let options = command.options + [Option("help", "print this help")]
        text += "\noptions:\n"
        text += table(options.map { ("--\($0.name)" + ($0.value.map { " \($0)" } ?? ""), $0.summary) })
        for note in command.notes {
            text += "\n\(note)\n"
        }
        return text
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { left, right in
            "  " + left + String(repeating: " ", count: width - left.count + 2) + right + "\n"
        }.joined()
    }
}
