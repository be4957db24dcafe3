// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenWorker

/// Which dead letters a command is for.
struct DeadSelection {
    static let operand = Operand(name: "ID", summary: "as dead list prints it", optional: true, repeats: true)
    static let code = Option("code", value: "CODE", "only those with this error code")
    static let options = [
        Option("all", "every one that is there now"), code,
        Option("dry-run", "say what would be done, and do nothing"),
    ]

    private let ids: Set<String>
    private let code: String?

    /// Reads the command line.
    ///
    /// - Throws: ``CommandFailure`` with the usage status when it names none, or none in two ways.
    init(_ arguments: Arguments) throws(CommandFailure) {
        ids = Set(arguments.operands)
        code = arguments[Self.code.name]
        if ids.isEmpty, code == nil, !arguments.has("all") {
            throw CommandFailure(.usage, "name letters by ID, by --code, or --all of them")
        }
        if !ids.isEmpty, arguments.has("all") { throw CommandFailure(.usage, "--all goes without an ID") }
    }

    func matches(_ letter: DeadLetter) -> Bool {
        (ids.isEmpty || ids.contains(letter.id)) && (code == nil || letter.code == code)
    }

    /// Complains about letters that were named and are not there.
    func conclude(_ found: Set<String>, _ console: Console) -> ExitStatus {
        let missing = ids.subtracting(found).sorted()
        for id in missing { console.note("there is no dead letter \(id)") }
        return missing.isEmpty ? .success : .failure
    }
}
