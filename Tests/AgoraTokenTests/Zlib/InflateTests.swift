// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@Suite struct InflateTests {
    @Test func `What zlib makes comes back`() throws {
        var generator = PayloadGenerator(seed: 11)
        for _ in 0..<300 {
            let payload = generator.next()
            #expect(try Zlib.inflate(ReferenceZlib.deflate(payload)) == payload)
        }
    }

    @Test func `Damaged streams are refused exactly when zlib refuses them`() {
        var generator = PayloadGenerator(seed: 12)
        var random = SplitMix64(state: 13)
        var refused = 0
        for _ in 0..<4_000 {
            var stream = ReferenceZlib.deflate(Array(generator.next().prefix(600)))
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let index = Int.random(in: stream.indices, using: &random)
                stream[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            if Bool.random(using: &random) {
                // The checksum hides nearly every difference in what comes before it.
                stream.removeLast(Int.random(in: 0...4, using: &random))
            }
            let ours = try? Zlib.inflate(stream)
            let reference = ReferenceZlib.inflate(stream)
            if ours != reference { Issue.record("stream \(Hex.encode(stream.prefix(64)))") }
            refused += reference == nil ? 1 : 0
        }
        #expect(refused > 3_000)
    }

    @Test(arguments: [
        ("", "it is empty"),
        ("789d030000000001", "it does not begin with a zlib header"),
        ("78bb030000000001", "it needs a preset dictionary"),
        ("789c07", "it holds a block of an unknown type"),
        ("789c0300", "it ends early"),
        ("789c030000000002", "its checksum does not match"),
        ("789c03000000000100", "more bytes follow its end"),
        ("789c0101000000", "a stored block has a wrong length"),
        ("789c030200", "it refers to bytes before its beginning"),
    ])
    func `What is wrong with a stream is said`(stream: String, reason: String) throws {
        let bytes = try #require(Hex.decode(stream))
        #expect(throws: TokenError.invalidCompression(reason: reason)) { try Zlib.inflate(bytes) }
    }
}
