// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// One `--name` that a command understands.
struct Option: Sendable {
    /// The name without its leading dashes.
    let name: String
    /// What stands for the value in the help, or `nil` for a switch that takes none.
    let value: String?
    /// One line for the help.
    let summary: String
    /// Whether its value may be given several times.
    let repeats: Bool

    init(_ name: String, value: String? = nil, repeats: Bool = false, _ summary: String) {
        self.name = name
        self.value = value
        self.summary = summary
        self.repeats = repeats
    }

    /// The machine-readable form of a command's result.
    static let json = Option("json", "print JSON for machines")
}

/// One word that a command takes by its place.
struct Operand: Sendable {
    /// What stands for it in the help, in capitals.
    let name: String
    /// One line for the help.
    let summary: String
    /// Whether it may be left out.
    var optional = false
    /// Whether it may be given several times; only the last operand may.
    var repeats = false
}
