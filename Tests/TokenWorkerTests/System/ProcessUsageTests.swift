// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing

@testable import TokenWorker

@Suite struct ProcessUsageTests {
    @Test func readsTheSystemsWords() throws {
        // A name may hold brackets and spaces.
        let stat = """
            4711 (a) b (c) S 1 4711 4711 0 -1 4194560 1500 0 0 0 250 50 0 0 20 0 7 0 123400 104857600 2560             18446744073709551615 1 1 0 0 0 0 16384 4096 66560 0 0 0 17 1 0 0 0 0 0
            """
        let system = "cpu  1 2 3\nbtime 1790000000\nprocesses 5\n"
        let usage = try #require(ProcessUsage(stat: stat, system: system, ticksPerSecond: 100, pageSize: 4096))
        #expect(usage.processorSeconds == 3 && usage.threads == 7 && usage.startTime == 1_790_001_234)
        #expect(usage.virtualMemory == 104_857_600 && usage.residentMemory == 10_485_760)
        #expect(ProcessUsage(stat: "", system: system, ticksPerSecond: 100, pageSize: 4096) == nil)
        #expect(ProcessUsage(stat: stat, system: "", ticksPerSecond: 100, pageSize: 4096) == nil)
    }

    @Test func ofThisProcess() throws {
        let usage = try #require(ProcessUsage.current())
        let now = Date().timeIntervalSince1970
        #expect(usage.startTime < now + 1 && usage.startTime > now - 86_400)
        #expect(usage.residentMemory > 1e6 && usage.residentMemory < usage.virtualMemory)
        #expect(usage.openDescriptors >= 3 && usage.openDescriptors < usage.mostDescriptors)
        #expect(usage.threads >= 1)
    }
}
