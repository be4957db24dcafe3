// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// Whatever is wrong with a message gets its own code and field, and delays nobody.
@Suite(.timeLimit(.minutes(3)))
struct ErrorTests {
    struct Case: Sendable {
        var body: String
        var code: String
        var field: String?

        init(_ body: String, _ code: String, _ field: String?) {
            (self.body, self.code, self.field) = (body, code, field)
        }
    }

    static let cases = [
        Case("not JSON", "malformed_json", nil),
        Case(#"{"channelName":"test","uid":1"#, "malformed_json", nil),
        Case(#"["channelName"]"#, "malformed_json", nil),
        Case("", "malformed_json", nil),
        Case(#"{"channelName":"test","uid":1,"rolle":1}"#, "unknown_field", "rolle"),
        Case(#"{"channelName":7,"uid":1}"#, "invalid_channel_name", "channelName"),
        Case(#"{"uid":1}"#, "missing_field", "channelName"),
        Case(#"{"channelName":"","uid":1}"#, "invalid_channel_name", "channelName"),
        Case(#"{"channelName":null,"uid":1}"#, "invalid_channel_name", "channelName"),
        Case(#"{"channelName":"test/1","uid":1}"#, "invalid_channel_name", "channelName"),
        Case(#"{"channelName":"tést","uid":1}"#, "invalid_channel_name", "channelName"),
        Case(
            #"{"channelName":"\#(String(repeating: "c", count: 65))","uid":1}"#, "invalid_channel_name", "channelName"),
        Case(#"{"channelName":"test"}"#, "missing_field", "uid"),
        Case(#"{"channelName":"test","uid":null}"#, "invalid_uid", "uid"),
        Case(#"{"channelName":"test","uid":-1}"#, "invalid_uid", "uid"),
        Case(#"{"channelName":"test","uid":1.5}"#, "invalid_uid", "uid"),
        Case(#"{"channelName":"test","uid":4294967296}"#, "invalid_uid", "uid"),
        Case(#"{"channelName":"test","uid":"1234"}"#, "invalid_uid", "uid"),
        Case(#"{"channelName":"test","uid":[1]}"#, "invalid_uid", "uid"),
        Case(#"{"channelName":"test","account":""}"#, "invalid_account", "account"),
        Case(#"{"channelName":"test","account":5}"#, "invalid_account", "account"),
        Case(#"{"channelName":"test","uid":1,"role":3}"#, "invalid_role", "role"),
        Case(#"{"channelName":"test","uid":1,"role":"host"}"#, "invalid_role", "role"),
        Case(#"{"channelName":"test","uid":1,"role":"1"}"#, "invalid_role", "role"),
        Case(#"{"channelName":"test","uid":1,"expire":0}"#, "invalid_expire", "expire"),
        Case(#"{"channelName":"test","uid":1,"expire":86401}"#, "invalid_expire", "expire"),
        Case(#"{"channelName":"test","uid":1,"expire":1790000000}"#, "invalid_expire", "expire"),
        Case(#"{"channelName":"test","uid":1,"appId":"ffffffffffffffffffffffffffffffff"}"#, "unknown_project", "appId"),
        Case(#"{"service":"video","channelName":"test","uid":1}"#, "unsupported_service", "service"),
    ]

    @Test func everyFaultHasItsOwnAnswer() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            for fault in Self.cases {
                let message = try await requester.ask(fault.body)
                let error = try message.json(Contract.ErrorReply.self).error
                #expect(error.code == fault.code, "\(fault.body): \(error.message)")
                #expect(error.field == fault.field, "\(fault.body): \(error.message)")
                #expect(!error.retryable && !error.message.isEmpty, "\(fault.body)")
                #expect(message.properties.type == "token.error", "\(fault.body)")
                #expect(message.properties.headers?["status"] == .text("error"), "\(fault.body)")
                #expect(message.properties.headers?["errorCode"] == .text(fault.code), "\(fault.body)")
            }
        }
    }

    @Test func unreadableBytes() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let bytes: [UInt8] = [0xff, 0xfe, 0x00, 0x7b]
            let sent = try requester.send(bytes, .request)
            let error = try await requester.reply(to: sent.correlation).json(Contract.ErrorReply.self).error
            #expect(error.code == "malformed_json")
        }
    }

    @Test func theHintOfATime() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let date = try await requester.error(#"{"channelName":"test","uid":1,"expire":1790000000}"#)
            let tooLong = try await requester.error(#"{"channelName":"test","uid":1,"expire":90000}"#)
            #expect(date.message != tooLong.message.replacing("90000", with: "1790000000"))
        }
    }

    @Test func propertiesThatAreNotOfTheContract() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let good = #"{"channelName":"test","uid":1234,"role":1}"#
            let type = try await requester.error(good, .request, .init(type: "token.destroy"))
            #expect(type.code == "unsupported_type")
            let version = try await requester.error(good, .request, .init(headers: ["contractVersion": .number(9)]))
            #expect(version.code == "unsupported_version")
            let late = try await requester.error(
                good, .request, .init(headers: ["deadline": .number(1_000_000_000_000)]))
            #expect(late.code == "deadline_exceeded")
        }
    }

    @Test func theNextMessageIsServedAsFast() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            func ask() async throws -> Duration {
                let clock = ContinuousClock()
                return try await clock.measure {
                    _ = try await requester.token(#"{"channelName":"test","uid":1234,"role":1}"#)
                }
            }
            _ = try await ask()
            var (alone, after): ([Duration], [Duration]) = ([], [])
            for fault in Self.cases {
                alone.append(try await ask())
                _ = try await requester.error(fault.body)
                after.append(try await ask())
            }
            let (usual, behind) = (alone.sorted()[alone.count / 2], after.sorted()[after.count / 2])
            #expect(behind < usual * 2 + .milliseconds(20), "median \(behind) behind a fault, \(usual) otherwise")
        }
    }
}
