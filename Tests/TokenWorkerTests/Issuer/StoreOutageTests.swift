// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenWorker

@Suite struct StoreOutageTests {
    @Test func pausesGrowToFiveSecondsAndStartAgainAfterSuccess() {
        var outage = StoreOutage()
        let start = ContinuousClock.now
        var now = start
        var begins: [Bool] = []
        var pauses: [Duration] = []
        for _ in 0..<10 {
            begins.append(outage.failed(at: now, spread: 0.5))
            guard let next = outage.nextTry else { break }
            pauses.append(next - now)
            now = next
        }
        #expect(begins == [true] + Array(repeating: false, count: 9))
        #expect(outage.since == start)
        #expect(pauses.first == .milliseconds(100))
        #expect(pauses == pauses.sorted())
        #expect(pauses.last == .seconds(5))

        let ends = [outage.succeeded(), outage.succeeded()]
        #expect(ends == [true, false])
        #expect(!outage.isAway)
        let beginsAgain = outage.failed(at: now, spread: 0.5)
        #expect(beginsAgain)
        #expect(outage.nextTry == now.advanced(by: .milliseconds(100)))
    }

    @Test(arguments: [0.0, 1.0]) func spreadKeepsPausesWithinAQuarter(spread: Double) {
        var outage = StoreOutage()
        let now = ContinuousClock.now
        _ = outage.failed(at: now, spread: spread)
        #expect(outage.nextTry == now.advanced(by: .milliseconds(spread == 0 ? 75 : 125)))
    }
}
