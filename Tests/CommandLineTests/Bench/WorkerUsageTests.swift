// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing

@testable import agora_token

@Suite struct WorkerUsageTests {
    /// The fields as proc(5) numbers them: utime is the 14th, stime the 15th, rss the 24th.
    @Test func aProcessMayHaveAnyName() throws {
        let rest = (3...52).map(String.init).joined(separator: " ")
        for name in ["a", "a b", "a) R 1 (b", "))"] {
            let use = try #require(WorkerUsage.processorTicksAndPages("17 (\(name)) \(rest)"))
            #expect(use.ticks == 14 + 15 && use.pages == 24)
        }
        #expect(WorkerUsage.processorTicksAndPages("") == nil)
        #expect(WorkerUsage.processorTicksAndPages("1 (a) S 1 2") == nil)
    }

    @Test func thisProcessUsesMemoryAndTime() throws {
        let id = Int(ProcessInfo.processInfo.processIdentifier)
        let use = try WorkerUsage([.process(id)])
        #expect(use.residentBytes > 1 << 20)
        #expect(try WorkerUsage([.process(id), .process(id)]).microseconds >= 2 * use.microseconds)
    }

    @Test func nobodyIsNamed() {
        #expect(throws: WorkerUsage.Failure.self) { try WorkerUsage([.process(Int(Int32.max))]) }
    }

    @Test func metricsAreReadByTheirWholeName() {
        let page = """
            # HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.
            process_cpu_seconds_total_more 7
            process_cpu_seconds_total 12.5
            process_resident_memory_bytes 2.1e+07
            """
        #expect(WorkerUsage.value(of: "process_cpu_seconds_total", in: page) == 12.5)
        #expect(WorkerUsage.value(of: "process_resident_memory_bytes", in: page) == 2.1e7)
        #expect(WorkerUsage.value(of: "process_cpu", in: page) == nil)
        for absurd in ["NaN", "+Inf", "-Inf", "-1", "1e300", "many"] {
            #expect(WorkerUsage.value(of: "process_threads", in: "process_threads \(absurd)") == nil)
        }
    }
}
