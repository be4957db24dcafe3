// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@Suite struct LimitTests {
    private let sample: Sample

    init() throws {
        sample = try Sample()
    }

    private func sign(_ services: [Service]) throws -> String {
        try AccessToken(appID: sample.appID, lifetime: 1, services: services).signed(with: sample.certificate)
    }

    @Test func `A token without services is refused`() {
        #expect(throws: TokenError.noService) { try sign([]) }
    }

    @Test func `65,000 bytes can be signed and read, one more cannot`() throws {
        // 34 bytes of signature, 48 of header, 4 of service and 2 of count come before the user ID.
        let userID = String(repeating: "é", count: 32_456)
        let token = try sign([.rtm(userID: userID, privileges: [:])])
        #expect(try AccessToken.parse(token).services == [.rtm(userID: userID, privileges: [:])])
        #expect(try AccessToken.parse(token).isSigned(by: sample.certificate))
        #expect(throws: TokenError.payloadTooLarge(bytes: 65_001)) {
            try sign([.rtm(userID: userID + "a", privileges: [:])])
        }
    }

    @Test func `What a 16-bit count cannot say is refused by name`() {
        let long = String(repeating: "a", count: 65_536)
        #expect(throws: TokenError.tooLong(field: "channel name", count: 65_536)) {
            try sign([.rtc(channel: long, account: "", privileges: [:])])
        }
        #expect(throws: TokenError.tooLong(field: "account", count: 65_536)) {
            try sign([.rtc(channel: "", account: long, privileges: [:])])
        }
        let full = String(repeating: "a", count: 65_535)
        #expect(throws: TokenError.payloadTooLarge(bytes: 82 + 8 + 131_070)) {
            try sign([.rtc(channel: full, account: full, privileges: [:])])
        }
    }

    @Test func `Signing works after a refusal`() throws {
        _ = try? sign([.rtm(userID: String(repeating: "a", count: 65_000), privileges: [:])])
        let token = try sign([.rtm(userID: "a", privileges: [:])])
        #expect(try AccessToken.parse(token).isSigned(by: sample.certificate))
    }
}
