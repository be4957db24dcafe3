// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

/// 600 tokens and 100 legacy ones that the official Python code made of random content.
@Suite struct RandomVectorTests {
    private struct File: Decodable {
        let accessToken2: [Current]
        let accessToken: [Legacy]
    }

    private struct Current: Decodable {
        let id: String
        let appId: String
        let appCertificate: String
        let issueTs: UInt32
        let salt: UInt32
        let expire: UInt32
        let services: [ServiceVector]
        let token: String
    }

    private struct Legacy: Decodable {
        let id: String
        let appId: String
        let appCertificate: String
        let ts: UInt32
        let salt: UInt32
        let channelName: String
        let account: String
        let privileges: [String: UInt32]
        let token: String
    }

    private let file: File

    init() throws {
        file = try VectorFile.decode("random", as: File.self)
    }

    @Test func `Tokens come out byte for byte, parse and verify`() throws {
        #expect(file.accessToken2.count == 600)
        for vector in file.accessToken2 {
            let certificate = try AppCertificate(vector.appCertificate)
            let token = AccessToken(
                appID: try AppID(vector.appId), issuedAt: vector.issueTs, lifetime: vector.expire, salt: vector.salt,
                services: try vector.services.map { try $0.service })
            #expect(try token.signed(with: certificate) == vector.token, "\(vector.id)")
            let parsed = try AccessToken.parse(vector.token)
            #expect(parsed.isSigned(by: certificate), "\(vector.id)")
            #expect(parsed.appID == token.appID && parsed.issuedAt == token.issuedAt, "\(vector.id)")
            #expect(parsed.lifetime == token.lifetime && parsed.salt == token.salt, "\(vector.id)")
            #expect(parsed.services == token.services.sorted { $0.type < $1.type }, "\(vector.id)")
        }
    }

    @Test func `Stored tokens say and sign the same`() throws {
        for vector in file.accessToken2 {
            let certificate = try AppCertificate(vector.appCertificate)
            let token = AccessToken(
                appID: try AppID(vector.appId), issuedAt: vector.issueTs, lifetime: vector.expire, salt: vector.salt,
                services: try vector.services.map { try $0.service })
            let stored = try AccessToken.parse(try token.signed(with: certificate, compression: .stored))
            #expect(try stored == AccessToken.parse(vector.token), "\(vector.id)")
        }
    }

    @Test func `Legacy tokens come out byte for byte, parse and verify`() throws {
        #expect(file.accessToken.count == 100)
        for vector in file.accessToken {
            let certificate = try AppCertificate(vector.appCertificate)
            let token = LegacyToken(
                appID: try AppID(vector.appId), channel: vector.channelName, account: vector.account,
                expiresAt: vector.ts, salt: vector.salt, privileges: try Privileges(vector: vector.privileges))
            #expect(try token.signed(with: certificate) == vector.token, "\(vector.id)")
            let parsed = try LegacyToken.parse(vector.token)
            #expect(
                parsed.isSigned(by: certificate, channel: vector.channelName, account: vector.account),
                "\(vector.id)")
            #expect(!parsed.isSigned(by: certificate, channel: vector.channelName, account: vector.account + "1"))
            #expect(parsed.expiresAt == token.expiresAt && parsed.salt == token.salt, "\(vector.id)")
            #expect(parsed.privileges == token.privileges, "\(vector.id)")
        }
    }
}
