// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// Nothing due is ever lost, whatever is killed; and a worker that loses something is found out.
@Suite("Killed at random points", .serialized, .timeLimit(.minutes(10)))
struct KillTests {
    @Test func nothingDueIsLost() async throws {
        let scenario: KillScenario = TestEnvironment.runsLongTests ? .long : .short
        let result = try await scenario.run()
        print("kill test: \(result.report)")
        #expect(result.faults == [])
        #expect(Double(result.kills) > scenario.seconds / 3)
    }

    /// Workers with slow stores: those with a fault are found out, and those without are not.
    ///
    /// The same faults are planted in the simulation of the scheduler, which runs always.
    @Test(.enabled(if: TestEnvironment.runsLongTests), arguments: ["none", "marks-first", "no-fence"])
    func aFaultIsFoundOut(_ fault: String) async throws {
        var scenario = KillScenario.short
        scenario.fault = fault
        let result = try await scenario.run()
        print("kill test with the fault \(fault): \(result.faults.count) faults; \(result.report)")
        #expect(result.faults.contains { $0.hasPrefix("lost") } == (fault != "none"))
        if fault == "none" { #expect(result.faults == []) }
    }
}
