// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import TokenMessages
import TokenWorker

/// `bench sign`: how fast this machine makes tokens.
enum BenchSignCommand: Command {
    static let description = CommandDescription(
        name: "bench sign", summary: "measure how fast one thread makes tokens",
        options: [
            Option("seconds", value: "N", "how long to measure each mode (2)"),
            Option("hex", value: "N", "channel names of N hexadecimal characters instead of 12 to 20 characters"),
            .json,
        ],
        notes: [
            """
            Makes RTC publisher tokens for different channels and users within the same second: identical to those of
            zlib, and with stored blocks. The figures are those of the best round of 1,000 tokens.
            """
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let seconds: Int = try arguments.integer("seconds", in: 1...60) ?? 2
        let benchmark = try SigningBenchmark(hexadecimal: try arguments.integer("hex", in: 1...64))
        let identical = try benchmark.run(.identical, for: .seconds(seconds))
        let stored = try benchmark.run(.stored, for: .seconds(seconds))
        if arguments.has(Option.json.name) {
            context.console.print("{\"identical\":\(json(identical)),\"stored\":\(json(stored))}")
        } else {
            context.console.print("identical  \(text(identical))")
            context.console.print("stored     \(text(stored))")
        }
        return .success
    }

    private static func json(_ result: SigningBenchmark.Result) -> String {
        "{\"tokensPerSecond\":\(Int(result.tokensPerSecond)),\"microsecondsPerToken\":\(rounded(result.best))}"
    }

    private static func text(_ result: SigningBenchmark.Result) -> String {
        "\(rounded(result.best)) µs for one token, \(Int(result.tokensPerSecond)) tokens per second"
            + " (median \(rounded(result.median)) µs)"
    }

    private static func rounded(_ value: Double) -> Double {
        (value * 1_000).rounded() / 1_000
    }
}
