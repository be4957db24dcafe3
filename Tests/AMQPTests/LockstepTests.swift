// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import FakeBroker
import TestSupport
import Testing

/// Many clients of one broker, which they all lose at once.
@Suite(.timeLimit(.minutes(1))) struct LockstepTests {
    @Test("Report32: 50 connections come back spread over the time of their pauses")
    func spreadsReconnections() async throws {
        let broker = try FakeBroker([.sendAndHangUp([])])
        defer { broker.stop() }
        var configuration = try quickConfiguration(broker.url)
        configuration.backOff = BackOff(first: .seconds(2), longest: .seconds(2))
        let probes = (0..<50).map { _ in ConsumerProbe(configuration, [QueueSubscription(.existing("q"))]) }
        for probe in probes {
            try await probe.states.wait(within: .seconds(15), "hung up on") {
                if case .unreachable = $0 { true } else { false }
            }
        }
        let pauses = try probes.map { probe in
            let state = probe.states.all.first { if case .unreachable = $0 { true } else { false } }
            guard case .unreachable(_, let pause) = state else { throw TestFailure("no pause") }
            return pause
        }
        #expect(pauses.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(2) })
        // Fifty at random fall into nearly all of ten slots; in lockstep they would share one.
        let slots = Set(pauses.map { Int($0 / .milliseconds(100)) })
        #expect(slots.count >= 6)
        try await eventually(within: .seconds(15), "all of them again") { broker.connections >= 100 }
    }
}
