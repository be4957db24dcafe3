// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Platform
import Testing

@Suite struct ClockTests {
    @Test func theWallClockIsTheSystems() {
        // The tests' machine does not set its clock by minutes.
        let now = Date().timeIntervalSince1970
        #expect(abs(Double(WallClock.milliseconds()) / 1e3 - now) < 60)
        #expect(abs(Double(WallClock.microseconds()) / 1e6 - now) < 60)
    }

    @Test func theMonotonicClockGoesOn() {
        let first = (MonotonicClock.nanoseconds(), MonotonicClock.microseconds())
        usleep(2000)
        let second = (MonotonicClock.nanoseconds(), MonotonicClock.microseconds())
        #expect(second.0 >= first.0 + 2_000_000)
        #expect(second.1 >= first.1 + 1999)
        // Both are one clock.
        #expect(Int64(first.0 / 1000) <= first.1 && first.1 <= Int64(second.0 / 1000))
    }
}
