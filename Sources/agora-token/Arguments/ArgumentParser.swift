// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Reads the words after a command's name against its description.
///
/// `--name value`, `--name=value` and switches, in any order with the operands; `--` ends the options, and a lone `-`
/// is an operand. Nothing is abbreviated, so that a new option never changes what an old script means.
struct ArgumentParser {
    let description: CommandDescription

    /// Parses `words`.
    ///
    /// - Throws: ``CommandFailure`` with the usage status that names the word that is wrong.
    func parse(_ words: some Sequence<String>) throws(CommandFailure) -> Arguments {
        var operands: [String] = []
        var values: [String: [String]] = [:]
        var rest = Array(words)[...]
        var optionsEnded = false
        while let word = rest.popFirst() {
            if optionsEnded || !word.hasPrefix("-") || word == "-" {
                operands.append(word)
            } else if word == "--" {
                optionsEnded = true
            } else {
                let (option, value) = try readOption(word, rest: &rest)
                if option.value != nil, !option.repeats, values[option.name] != nil {
                    throw CommandFailure(.usage, "--\(option.name) is given twice")
                }
                values[option.name, default: []].append(value)
            }
        }
        try check(operands)
        return Arguments(operands: operands, values: values)
    }

    private func readOption(
        _ word: String, rest: inout ArraySlice<String>
    ) throws(CommandFailure) -> (option: Option, value: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0].dropFirst(2))
        guard word.hasPrefix("--"), let option = description.options.first(where: { $0.name == name }) else {
            throw CommandFailure(.usage, "unknown option \(parts[0])")
        }
        guard let placeholder = option.value else {
            guard parts.count == 1 else { throw CommandFailure(.usage, "--\(name) takes no value") }
            return (option, "")
        }
        if parts.count == 2 { return (option, String(parts[1])) }
        guard let value = rest.popFirst() else {
            throw CommandFailure(.usage, "--\(name) needs a value: --\(name) \(placeholder)")
        }
        return (option, value)
    }

    private func check(_ operands: [String]) throws(CommandFailure) {
        let required = description.operands.count { !$0.optional }
        if operands.count < required {
            throw CommandFailure(.usage, "missing \(description.operands[operands.count].name)")
        }
        let open = description.operands.last?.repeats ?? false
        if !open, operands.count > description.operands.count {
            throw CommandFailure(.usage, "unexpected word \"\(operands[description.operands.count])\"")
        }
    }
}
