// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenClient

@Suite struct ExpirationTests {
    /// A time-out may be as good as none.
    @Test(
        arguments: [
            (.seconds(10), 10_000), (.milliseconds(1), 1), (.nanoseconds(999_999), 0), (.zero, 0), (.seconds(-5), 0),
            (.seconds(4_294_967), 4_294_967_000), (.seconds(5_000_000), .max), (.seconds(Int64.max), .max),
            (.seconds(Int64.min), 0),
        ] as [(Duration, UInt32)])
    func aMessageWaitsNoLongerThanAMQPCanSay(_ left: Duration, _ milliseconds: UInt32) {
        #expect(TokenClient.expiration(left) == milliseconds)
    }
}
