// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform
import Testing

@Suite struct DurationTests {
    @Test(
        arguments: [
            (.seconds(-1), 0), (.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
            (.milliseconds(999), 999), (.seconds(2.5), 2500), (.seconds(86_399), 86_399_000),
            (.seconds(100_000), 86_400_000), (.seconds(Int64.max), 86_400_000),
        ] as [(Duration, Int32)])
    func pollWaitsNoLessThanAsked(_ duration: Duration, _ milliseconds: Int32) {
        #expect(duration.pollMilliseconds == milliseconds)
    }

    @Test(
        arguments: [
            (.seconds(-1), 0), (.zero, 0), (.nanoseconds(1), 1), (.seconds(1.5), 1_500_000_000),
            (.seconds(Int64.max), 9_000_000_000_000_000_000),
        ] as [(Duration, UInt64)])
    func nanosecondsDoNotOverflow(_ duration: Duration, _ nanoseconds: UInt64) {
        #expect(duration.nanoseconds == nanoseconds)
    }
}
