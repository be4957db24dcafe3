// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@Suite struct HostileTokenTests {
    /// A token whose body is `payload`.
    private func token(_ payload: [UInt8]) throws -> String {
        "007" + Base64.encode(try Zlib.deflate(payload))
    }

    @Test func `Mutated tokens are refused or read, and never trap`() throws {
        var random = SplitMix64(state: 3)
        let sample = try Sample()
        let valid = [
            try sample.rtc(),
            try sample.token(
                .rtm2(userID: "u", permissions: RTMPermissions(vector: ["0": ["1": ["a", "b"]]]), privileges: [1: 5])),
            try LegacyToken.rtc(appID: sample.appID, channel: "c", user: 1, privilegesUntil: 0).signed(
                with: sample.certificate),
        ]
        for _ in 0..<4_000 {
            var text = Array(valid.randomElement(using: &random)?.utf8 ?? "".utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                text[Int.random(in: text.indices, using: &random)] = UInt8.random(in: 0x20...0x7e, using: &random)
            }
            let report = TokenReport(String(decoding: text, as: UTF8.self), channel: "test", user: 1234)
            #expect(report.content != nil || !report.isAccepted)
        }
    }

    @Test func `Mutated payloads are refused or read, and never trap`() throws {
        var random = SplitMix64(state: 4)
        let sample = try Sample()
        let services: [Service] = [
            .rtc(channel: "test", account: "1", privileges: [1: 2, 9: 3]),
            .apaas(room: "r", user: "u", role: 1, privileges: [:]),
            .rtm2(userID: "u", permissions: try RTMPermissions(vector: ["0": ["1": ["a"]]]), privileges: [:]),
        ]
        let text = try AccessToken(appID: sample.appID, lifetime: 1, services: services).signed(
            with: sample.certificate)
        let payload = try Zlib.inflate(try #require(Base64.decode(Array(text.utf8.dropFirst(3)))))
        for _ in 0..<1_500 {
            var bytes = payload
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            bytes.removeLast(Int.random(in: 0...3, using: &random) * Int.random(in: 0...20, using: &random))
            guard let parsed = try? AccessToken.parse(try token(bytes)) else { continue }
            #expect(parsed.isSigned(by: sample.certificate) == (bytes == payload))
        }
    }

    @Test func `A body that inflates to more than 64 KiB is refused`() throws {
        let bomb = ReferenceZlib.deflate(Array(repeating: 0, count: 65_537))
        #expect(bomb.count < 100)
        #expect(throws: TokenError.inflatedTooLarge) { try Zlib.inflate(bomb) }
        #expect(throws: TokenError.inflatedTooLarge) { try AccessToken.parse("007" + Base64.encode(bomb)) }
        #expect(try Zlib.inflate(ReferenceZlib.deflate(Array(repeating: 0, count: 65_536))).count == 65_536)
        #expect(throws: TokenError.inflatedTooLarge) {
            try AccessToken.parse("007" + String(repeating: "A", count: 1_000_000))
        }
    }

    @Test func `Counts that promise more than there is end the reading`() throws {
        let sample = try Sample()
        var bytes: [UInt8] = [32, 0] + Array(repeating: 0, count: 32) + [32, 0] + Array(sample.appID.description.utf8)
        bytes += Array(repeating: 0, count: 12)
        #expect(throws: TokenError.truncated(field: "service count")) { try AccessToken.parse(try token(bytes)) }
        bytes += [0xff, 0xff]
        #expect(throws: TokenError.truncated(field: "service type")) { try AccessToken.parse(try token(bytes)) }
        let map = bytes + [1, 0, 0xff, 0xff, 1, 0, 1, 0, 0, 0]
        #expect(throws: TokenError.truncated(field: "privilege map")) { try AccessToken.parse(try token(map)) }
        let text = bytes + [2, 0, 0, 0, 0xff, 0xff, 65]
        #expect(throws: TokenError.truncated(field: "user ID")) { try AccessToken.parse(try token(text)) }
        let latin = bytes + [2, 0, 0, 0, 1, 0, 0xe9]
        #expect(throws: TokenError.malformed(field: "user ID", reason: "its bytes are not UTF-8")) {
            try AccessToken.parse(try token(latin))
        }
    }

    @Test func `A service of an unknown type leaves the token verifiable`() throws {
        let sample = try Sample()
        let text = try sample.token(.rtm(userID: "alice", privileges: [1: 5]))
        var payload = try Zlib.inflate(try #require(Base64.decode(Array(text.utf8.dropFirst(3)))))
        let count = 2 + 32 + 34 + 12
        payload[count] = 2
        payload += [99, 0, 1, 2, 3]
        let info = Array(payload[34...])
        // The signature of the longer content, as the format's description says.
        let key1 = hmac(sample.issuedAt.bytes, Array("5CFd2fd1755d40ecb72977518be15d3b".utf8))
        let signature = hmac(hmac(UInt32(1).bytes, key1), info)
        let parsed = try AccessToken.parse(try token([32, 0] + signature + info))
        #expect(parsed.unknownServiceType == 99)
        #expect(parsed.services == [.rtm(userID: "alice", privileges: [1: 5])])
        #expect(parsed.isSigned(by: sample.certificate))
    }

    private func hmac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        let padded = key + Array(repeating: 0, count: 64 - key.count)
        return SHA256.hash(padded.map { $0 ^ 0x5c } + SHA256.hash(padded.map { $0 ^ 0x36 } + message))
    }
}

extension UInt32 {
    fileprivate var bytes: [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }
}
