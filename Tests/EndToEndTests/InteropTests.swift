// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// Clients that know nothing of this project get tokens that an independent implementation accepts.
@Suite(.timeLimit(.minutes(3)))
struct InteropTests {
    private static let simplest = #"{"channelName":"test","uid":1234,"role":1}"#
    private static let publisher = ["1": 3600, "2": 3600, "3": 3600, "4": 3600]

    /// What a token of the tests' project for a publisher in the channel "test" says.
    private func expectPublisher(_ reply: Contract.Reply, account: String) async throws {
        let finding = try await Verifier.read(reply.token)
        #expect(finding.signed)
        #expect(finding.appId == WorkerProcess.appID)
        #expect(finding.issuedAt == reply.issuedAt)
        #expect(finding.expire == 3600)
        try #require(finding.services?.count == 1)
        let service = try #require(finding.services?.first)
        #expect(service.name == "rtc")
        #expect(service.channelName == "test")
        #expect(service.account == account)
        // Zero means "as the token": what counts is when Agora lets the privilege end.
        #expect(service.privileges.mapValues { $0 == 0 ? 3600 : $0 } == Self.publisher)
    }

    @Test func plainPikaScript() async throws {
        try await Scene.withWorker { scene, _ in
            let output = try await ChildProcess.run(
                "/usr/bin/python3", [TestEnvironment.root + "/Tests/Interop/python/request_token.py"],
                environment: ["AMQP_URL": scene.host.url])
            let reply = try JSONDecoder().decode(Contract.Reply.self, from: Data(output.utf8))
            try await expectPublisher(reply, account: "1234")
            #expect(reply.warnings == [])
            #expect(reply.channelName == "test" && reply.uid == 1234 && reply.service == "rtc")
            #expect(abs(reply.issuedAt - Int(Date().timeIntervalSince1970)) < 60)
            #expect(reply.expiresAt == reply.issuedAt + 3600 && reply.expiresIn == 3600)
            #expect(reply.renewAfter == reply.expiresAt - 30 && reply.notifyBefore == [30])
            #expect(reply.scheduled && reply.leaseId?.hasPrefix("l-") == true)
            #expect(
                reply.privileges
                    == Dictionary(
                        uniqueKeysWithValues: [
                            "joinChannel", "publishAudioStream", "publishVideoStream", "publishDataStream",
                        ].map { ($0, reply.expiresAt) }))
        }
    }

    @Test func amqpTools() async throws {
        try await Scene.withWorker { scene, _ in
            let queue = "reply.amqp-tools"
            _ = try await ChildProcess.run("amqp-declare-queue", ["-u", scene.host.url, "-q", queue])
            _ = try await ChildProcess.run(
                "amqp-publish",
                ["-u", scene.host.url, "-e", "agora.tokens", "-r", "request", "-t", queue, "-b", Self.simplest])
            let output = try await ChildProcess.run(
                "amqp-consume", ["-u", scene.host.url, "-q", queue, "-c", "1", "cat"])
            let reply = try JSONDecoder().decode(Contract.Reply.self, from: Data(output.utf8))
            try await expectPublisher(reply, account: "1234")
        }
    }

    @Test func anyUserIsWarnedOf() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let reply = try await requester.token(#"{"channelName":"test","uid":0,"role":1}"#)
            try await expectPublisher(reply, account: "")
            #expect(reply.uid == 0)
            #expect(reply.warnings.count == 1)
        }
    }

    @Test func replyPropertiesAreThoseOfTheContract() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let message = try await requester.ask(Self.simplest, .request, .init(correlationID: "call/1"))
            #expect(message.properties.contentType == "application/json")
            #expect(message.properties.type == "token.issued")
            #expect(message.properties.correlationID == "call/1")
            #expect(message.properties.deliveryMode == 2)
            #expect(message.properties.appID == "agora-token")
            #expect(message.properties.messageID?.isEmpty == false)
            #expect(message.properties.headers?["status"] == .text("ok"))
            #expect(message.properties.headers?["contractVersion"] == .number(1))
            #expect(message.properties.headers?["x-driver-ref"] == nil, "incoming x-* headers are not copied")
        }
    }

    @Test func verifierRefusesWhatIsNotSigned() async throws {
        // Agora's own builder made this one, with the tests' project.
        let official =
            "007eJxTYDhuGCT90E3Yo2+N3efJV5hX1K1MZAqae/Sa8UP9VXvOhfArMFiaGzg7GpumpJoZJJuYmJmYJiUlplokGhmaGpgZJhkbu38RYIhg"
            + "YmBgZABhRgYWIAbxmcAkM5hkAZMKDOYp5kbGZqapSZYWxiYWpsaW5qnGqcZplikmZgZJKSmJXAxGFhZGxiaGRubGAKizJcs="
        let findings = try await Verifier.read([official, changed(official)])
        #expect(findings.map(\.signed) == [true, false])
        let other = try await Verifier.read([official], certificate: String(repeating: "0", count: 32))
        #expect(!other[0].signed)
    }

    /// The verifier itself is held against the tokens that Agora's builders make.
    @Test func verifierReadsWhatTheOfficialBuildersMake() async throws {
        struct Vector: Decodable {
            struct Service: Decodable {
                var type: String
                var privileges: [String: Int]
                var channel, account, userId, roomUuid, userUuid: String?
                var role: Int?
                var permissions: [String: [String: [String]]]?
            }
            var fmt: String
            var issueTs: Int
            var expectedToken: String
            var services: [Service]?
        }
        let file = TestEnvironment.root + "/Tests/AgoraTokenTests/Vectors/builders.json"
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let vectors = try decoder.decode([Vector].self, from: Data(contentsOf: URL(filePath: file)))
            .filter { $0.fmt == "007" }
        #expect(vectors.count == 120)
        let findings = try await Verifier.read(vectors.map(\.expectedToken))
        for (vector, finding) in zip(vectors, findings) {
            #expect(finding.signed)
            #expect(finding.issuedAt == vector.issueTs)
            let services = vector.services?.map {
                Verifier.Service(
                    name: $0.type, privileges: $0.privileges, channelName: $0.channel, account: $0.account,
                    userId: $0.userId, roomUuid: $0.roomUuid, userUuid: $0.userUuid, role: $0.role,
                    permissions: $0.permissions)
            }
            #expect(finding.services == services)
        }
        let refused = try await Verifier.read(vectors.map { changed($0.expectedToken) })
        #expect(refused.map(\.signed) == vectors.map { _ in false })
    }

    private func changed(_ token: String) -> String {
        let middle = token.index(token.startIndex, offsetBy: token.count / 2)
        return token[..<middle] + (token[middle] == "A" ? "B" : "A") + token[token.index(after: middle)...]
    }
}
