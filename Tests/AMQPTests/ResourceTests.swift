// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Foundation
import TestSupport
import Testing

/// What connections cost, measured in processes of their own.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ResourceTests {
    /// Next to the tests' own binary, wherever that was built.
    private static let soak = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/AMQPSoak"

    @Test("L05, L07, Report05: returns, confirms and deliveries by the thousands leave the memory as it was")
    func keepsItsMemory() async throws {
        let (warmUp, total) = TestEnvironment.runsLongTests ? (100_000, 3_000_000) : (20_000, 60_000)
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let output = try await ChildProcess.run(
                Self.soak, ["traffic", host.url, String(warmUp), String(total)], within: .seconds(900))
            let growth = try #require(Int(output.trimmingCharacters(in: .whitespacesAndNewlines)))
            print("\(growth) bytes more after \(total) messages than after \(warmUp)")
            #expect(growth < 5_000_000)
        }
    }

    @Test("Report31: less than 2 % of a core while idle, and while the broker is away", arguments: ["ready", "away"])
    func rests(_ state: String) async throws {
        let seconds = TestEnvironment.runsLongTests ? 60 : 4
        try await VirtualHost.with { host in
            try Topology(try quickConfiguration(host.url)).declareQueue("q")
            let url = state == "ready" ? host.url : "amqp://127.0.0.1:1"
            let output = try await ChildProcess.run(
                Self.soak, ["rest", url, String(seconds)], within: .seconds(120)
            ).split(whereSeparator: \.isWhitespace)
            #expect(output.last == Substring(state))
            let used = try #require(output.first.flatMap { Double($0) })
            print("\(state): \(used) s of CPU time in \(seconds) s")
            #expect(used < Double(seconds) * 0.02)
        }
    }
}
