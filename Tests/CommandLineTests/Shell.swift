// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TokenWorker

@testable import agora_token

/// Runs command lines inside the test's process.
struct Shell {
    struct Result {
        let status: ExitStatus
        let output: String
        let errors: String
    }

    var environment: [String: String] = [:]

    /// Runs one command line; what it prints has to fit into a pipe, which is 64 KiB.
    func run(_ words: String...) async -> Result { await run(words) }

    /// The same for words in a list.
    func run(_ words: [String]) async -> Result {
        let output = Pipe()
        let errors = Pipe()
        let console = Console(
            output: FileWriter(descriptor: output.fileHandleForWriting.fileDescriptor),
            errors: FileWriter(descriptor: errors.fileHandleForWriting.fileDescriptor))
        let status = await AgoraTokenCommand.run(words, in: CommandContext(environment: environment, console: console))
        return Result(status: status, output: Self.text(output), errors: Self.text(errors))
    }

    private static func text(_ pipe: Pipe) -> String {
        try? pipe.fileHandleForWriting.close()
        return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
}
