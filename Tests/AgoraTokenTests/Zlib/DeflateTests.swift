// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Foundation
import Testing

@Suite struct DeflateTests {
    /// How many payloads are compared: a few thousand always, 100,000 when `AGORA_TEST_LONG` is 1.
    private static let count = ProcessInfo.processInfo.environment["AGORA_TEST_LONG"] == "1" ? 100_000 : 3_000

    @Test(.timeLimit(.minutes(10))) func `Streams are those of zlib at level 6`() throws {
        var generator = PayloadGenerator(seed: 2026)
        var different = 0
        for number in 0..<Self.count {
            let payload = generator.next()
            guard try Zlib.deflate(payload) != ReferenceZlib.deflate(payload) else { continue }
            different += 1
            if different < 4 { Issue.record("payload \(number) of \(payload.count) bytes") }
        }
        #expect(different == 0)
    }

    @Test func `Streams of the largest payloads are those of zlib, and larger ones are refused`() throws {
        var random = SplitMix64(state: 7)
        for alphabet in [1, 2, 30, 256] {
            let payload = random.bytes(65_000).map { UInt8(Int($0) % alphabet) }
            #expect(try Zlib.deflate(payload) == ReferenceZlib.deflate(payload))
        }
        #expect(throws: TokenError.payloadTooLarge(bytes: 65_001)) {
            try Zlib.deflate(Array(repeating: 0, count: 65_001))
        }
    }
}
