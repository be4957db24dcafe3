// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Foundation
import Testing

/// Tokens of the official test suites, which are only read from beside the repository.
@Suite struct OfficialVectorTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/vectors/official.json").standardizedFileURL
    private static let isHere = FileManager.default.fileExists(atPath: file.path())
    private static let isCI = ProcessInfo.processInfo.environment["CI"] == "true"

    private struct Vector: Decodable {
        let id: String
        let kind: String
        let historical: Bool?
        let inputs: Inputs
        let expectedToken: String
        let compressor: String?
        let reproducedExactlyBy: [String]?
        let payloadHex: String?
    }

    private struct Inputs: Decodable {
        let appId: String?
        let appCertificate: String?
        let issueTs: UInt32?
        let expire: UInt32?
        let salt: UInt32?
        let ts: UInt32?
        let channelName: String?
        let account: String?
        let services: [ServiceVector]?
        let privileges: [String: UInt32]?
    }

    private static func vectors() throws -> [Vector] {
        try VectorFile.decode(file, as: [Vector].self)
    }

    @Test(.enabled(if: isCI, "only CI insists on them"))
    func `The official vectors are there`() {
        #expect(Self.isHere, "\(Self.file.path()) is missing: the official tokens cannot be checked")
    }

    @Test(.enabled(if: isHere, "official.json is not beside the repository: the official tokens are not checked"))
    func `Current tokens parse and verify`() throws {
        var verified = 0
        for vector in try Self.vectors() where vector.kind.hasPrefix("007:") {
            let parsed = try AccessToken.parse(vector.expectedToken)
            if let payload = vector.payloadHex {
                let body = try #require(Base64.decode(Array(vector.expectedToken.utf8.dropFirst(3))))
                #expect(Hex.encode(try Zlib.inflate(body)) == payload, "\(vector.id)")
            }
            if let issuedAt = vector.inputs.issueTs {
                #expect(parsed.issuedAt == issuedAt, "\(vector.id)")
            }
            guard let certificate = vector.inputs.appCertificate else { continue }
            #expect(parsed.isSigned(by: try AppCertificate(certificate)), "\(vector.id)")
            verified += 1
            guard vector.historical != true, let services = vector.inputs.services else { continue }
            #expect(try parsed.services == services.map { try $0.service }, "\(vector.id)")
        }
        #expect(verified >= 35)
    }

    @Test(.enabled(if: isHere, "official.json is not beside the repository: the official tokens are not checked"))
    func `Legacy tokens come out byte for byte and verify`() throws {
        var count = 0
        for vector in try Self.vectors() where vector.kind.hasPrefix("006:") {
            let inputs = vector.inputs
            let certificate = try AppCertificate(try #require(inputs.appCertificate))
            let channel = try #require(inputs.channelName)
            let account = try #require(inputs.account)
            let token = LegacyToken(
                appID: try AppID(try #require(inputs.appId)), channel: channel, account: account,
                expiresAt: inputs.ts, salt: inputs.salt,
                privileges: try Privileges(vector: try #require(inputs.privileges)))
            #expect(try token.signed(with: certificate) == vector.expectedToken, "\(vector.id)")
            let parsed = try LegacyToken.parse(vector.expectedToken)
            #expect(parsed.isSigned(by: certificate, channel: channel, account: account), "\(vector.id)")
            count += 1
        }
        #expect(count == 7)
    }

    @Test(.enabled(if: isHere, "official.json is not beside the repository: the official tokens are not checked"))
    func `Tokens come out byte for byte, or with the same payload where another compressor made them`() throws {
        var identical = 0
        var stored = 0
        for vector in try Self.vectors() where vector.kind.hasPrefix("007:") && vector.historical != true {
            let inputs = vector.inputs
            guard let certificate = inputs.appCertificate, let services = inputs.services else { continue }
            let token = AccessToken(
                appID: try AppID(try #require(inputs.appId)), issuedAt: inputs.issueTs,
                lifetime: try #require(inputs.expire), salt: inputs.salt, services: try services.map { try $0.service })
            let signed = try token.signed(with: try AppCertificate(certificate))
            let body = try #require(Base64.decode(Array(signed.utf8.dropFirst(3))))
            #expect(Hex.encode(try Zlib.inflate(body)) == vector.payloadHex, "\(vector.id)")
            if vector.reproducedExactlyBy?.isEmpty == false, vector.compressor == "c-zlib-level6" {
                #expect(signed == vector.expectedToken, "\(vector.id)")
                identical += 1
            }
            if vector.compressor?.hasSuffix("stored block") == true {
                #expect(
                    try token.signed(with: try AppCertificate(certificate), compression: .stored)
                        == vector.expectedToken, "\(vector.id)")
                stored += 1
            }
        }
        #expect(identical == 17)
        #expect(stored == 1)
    }

    @Test(.enabled(if: isHere, "official.json is not beside the repository: the official tokens are not checked"))
    func `The token that is malformed on purpose is refused`() throws {
        let vector = try #require(try Self.vectors().first { $0.kind == "malformed-007" })
        #expect(throws: TokenError.self) { try AccessToken.parse(vector.expectedToken) }
    }
}
