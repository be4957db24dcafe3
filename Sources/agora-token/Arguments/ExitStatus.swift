// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What the process tells its caller; the numbers are part of the command line's contract.
enum ExitStatus: Int32, Sendable {
    /// Everything that was asked for was done.
    case success = 0
    /// It was understood and refused, or it failed.
    case failure = 1
    /// The command line itself is wrong.
    case usage = 2
    /// A setting is missing or malformed.
    case configuration = 3
    /// The broker, the store or a worker could not be reached in time.
    case unavailable = 4
}

/// The end of a command that did not succeed: a status and one line that says why.
struct CommandFailure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}
