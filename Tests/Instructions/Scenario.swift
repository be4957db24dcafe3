// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

/// A fixed piece of work whose instructions are counted.
enum Scenario: String, CaseIterable {
    case rtcIdentical = "rtc-identical"
    case rtcStored = "rtc-stored"
    case rtcHexadecimal32 = "rtc-hex-32"
    case rtcHexadecimal64 = "rtc-hex-64"
    case roomUser = "room-user"
    case legacy = "legacy"
    case verify = "verify"
    case explain = "explain"

    /// Does the work `count` times with varying content, and returns something that depends on all of it.
    func run(_ count: Int) throws -> Int {
        let appID = try AppID("970CA35de60c44645bbae8a215061b33")
        let certificate = try AppCertificate("5CFd2fd1755d40ecb72977518be15d3b")
        var sum = 0
        for number in 0..<count {
            let content = Content(number)
            let text =
                switch self {
                case .rtcIdentical:
                    try content.rtc(appID, "room-\(content.digits)").signed(with: certificate)
                case .rtcStored:
                    try content.rtc(appID, "room-\(content.digits)").signed(with: certificate, compression: .stored)
                case .rtcHexadecimal32:
                    try content.rtc(appID, content.hexadecimal(32)).signed(with: certificate)
                case .rtcHexadecimal64:
                    try content.rtc(appID, content.hexadecimal(64)).signed(with: certificate)
                case .roomUser:
                    try AccessToken.apaasRoomUser(
                        appID: appID, room: content.digits, user: content.hexadecimal(32), role: 1, lifetime: 3_600,
                        issuedAt: 1_790_000_000, salt: content.salt
                    ).signed(with: certificate)
                case .legacy:
                    try LegacyToken.rtc(
                        appID: appID, channel: content.digits, user: .uid(content.salt), privilegesUntil: 0,
                        expiresAt: 1_790_000_000, salt: content.salt
                    ).signed(with: certificate)
                case .verify, .explain:
                    Self.tokens[number % Self.tokens.count]
                }
            switch self {
            case .verify:
                sum &+= try AccessToken.parse(text).isSigned(by: certificate) ? 1 : 0
            case .explain:
                let report = TokenReport(
                    text, projects: [appID: [certificate]], channel: "test", user: 123_456, at: 1_790_000_060)
                sum &+= report.refusals.count
            default:
                sum &+= text.utf8.count
            }
        }
        return sum
    }

    /// Tokens of the official builders' format to read.
    private static let tokens = [
        "007eJxTYDhuGCT90E3Yo2+N3efJV5hX1K1MZAqae/Sa8UP9VXvOhfArMFiaGzg7GpumpJoZJJuYmJmYJiUlplokGhmaGpgZJhkbu38R"
            + "YIhgYmBgZABhRgYWIAbxmcAkM5hkAZMKDOYp5kbGZqapSZYWxiYWpsaW5qnGqcZplikmZgZJKSmJXAxGFhZGxiaGRubGAKizJcs=",
        "007eJxTYHij0bblLcdPoceGC37wNW61auA8xyNoqxB6+Omk1tsSSyQUGCzNDZwdjU1TUs0Mkk1MzExMk5ISUy0SjQxNDcwMk4yND9wu"
            + "TRPgY2BweMTIAIIsQBzBxMDABCaZwSQLmFRgME8xNzI2M01NsrQwNrEwNbY0TzVONU6zTDExM0hKSUlkZkjKTwIANOYmug==",
        "007eJwBigB1/yAA",
    ].filter { (try? AccessToken.parse($0)) != nil }
}

/// Numbers and names that follow from a number alone.
private struct Content {
    private let mixed: UInt64

    init(_ number: Int) {
        mixed = UInt64(number + 1) &* 0x9e37_79b9_7f4a_7c15
    }

    var salt: UInt32 {
        UInt32(truncatingIfNeeded: mixed &>> 17)
    }

    var digits: String {
        String(100_000_000 + mixed % 900_000_000)
    }

    func hexadecimal(_ count: Int) -> String {
        var state = mixed
        var text = ""
        while text.utf8.count < count {
            state = (state ^ state &>> 29) &* 0xbf58_476d_1ce4_e5b9
            text += String(state &>> 32 | 0x1_0000_0000, radix: 16).dropFirst()
        }
        return String(text.prefix(count))
    }

    func rtc(_ appID: AppID, _ channel: String) -> AccessToken {
        AccessToken.rtc(
            appID: appID, channel: channel, user: .uid(salt), lifetime: 3_600, privilegeLifetime: 3_600,
            issuedAt: 1_790_000_000, salt: salt)
    }
}
