// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenWorker

/// Where a command's words go.
struct Console: Sendable {
    /// Results.
    let output: FileWriter
    /// Complaints and progress.
    let errors: FileWriter

    static let standard = Console(output: .standardOutput, errors: .standardError)

    /// Prints one line of a result.
    func print(_ line: String) { output.write(line + "\n") }

    /// Prints one line about the work, not a result of it.
    func note(_ line: String) { errors.write(line + "\n") }
}
