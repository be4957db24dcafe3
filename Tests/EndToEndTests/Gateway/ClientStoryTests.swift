// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Foundation
import TestSupport
import Testing
import TokenClient
import TokenMessages

/// The life of a call as Agora's documentation tells it, with a real worker, gateway and broker: fetch, join, be warned,
/// renew, run out, fetch again, rejoin; for one channel and for three.
///
/// Lifetimes are of seconds here, and the warning comes 4 s before the end instead of 30.
@Suite(.timeLimit(.minutes(3)))
struct ClientStoryTests {
    /// The app in the user's hand, its SDK, and Agora's gate, which is played by an implementation of its own.
    private struct App {
        let gateway: GatewayProcess
        let uid: Int

        func fetch(_ channel: String) async throws -> GatewayProcess.Token {
            try await gateway.token(
                #"{"uid":\#(uid),"channelName":"\#(channel)","role":1,"expire":8,"notify":{"before":[4]}}"#)
        }

        /// Whether Agora would let the app in, and why not.
        func join(_ token: String, _ channel: String, as uid: Int? = nil) async throws -> String? {
            let finding = try await Verifier.read(token)
            guard finding.signed else { return "the signature is wrong" }
            guard finding.appId == WorkerProcess.appID else { return "another project" }
            guard let service = finding.services?.first, service.name == "rtc" else { return "no rtc" }
            guard service.channelName == channel else { return "another channel" }
            guard service.account == String(uid ?? self.uid) else { return "another user" }
            guard service.privileges["1"] != nil else { return "no privilege to join" }
            let end = (finding.issuedAt ?? 0) + (finding.expire ?? 0)
            return Int(Date().timeIntervalSince1970) < end ? nil : "it has run out"
        }
    }

    private func play(_ body: (Requester, App, TokenClient) async throws -> Void) async throws {
        try await Scene.withWorker { scene, _ in
            let gateway = try GatewayProcess(
                url: scene.host.url, arguments: ["--with-leases", "--as-application", "gateway"])
            try await gateway.becomesReady()
            let requester = try await Requester(url: scene.host.url, noticesOf: "a-gateway")
            try await SwiftClient.with(scene.host.url) { client in
                try await body(requester, App(gateway: gateway, uid: 1234), client)
            }
            #expect(try await gateway.stop() == .code(0))
        }
    }

    private func warning(_ requester: Requester, _ channel: String, after: Int = 0) async throws -> Contract.Notice {
        try await requester.notice(within: .seconds(30), "a warning for \(channel)") {
            $0.kind == "will_expire" && $0.data.channelName == channel && $0.data.generation > after
        }
    }

    @Test func oneChannel() async throws {
        try await play { requester, app, client in
            // Fetch and join: good for this user in this channel and for nobody else anywhere.
            let first = try await app.fetch("test")
            #expect(try await app.join(first.token, "test") == nil)
            #expect(try await app.join(first.token, "test", as: 123456) == "another user")
            #expect(try await app.join(first.token, "other") == "another channel")
            let explained = try await client.explain(
                ExplainRequest(first.token, channelName: "test", user: .uid(1234)))
            #expect(explained.isAccepted, "\(explained.refusals)")
            for (channel, uid) in [("test", 123456), ("other", 1234), ("test", 0)] as [(String, UInt32)] {
                let other = try await client.explain(
                    ExplainRequest(first.token, channelName: channel, user: .uid(uid)))
                #expect(!other.isAccepted)
            }

            // Warned in time, and renewed.
            let warned = try await warning(requester, "test")
            #expect(warned.data.plannedAt == first.expiresAt - 4)
            let second = try await app.fetch("test")
            #expect(second.token != first.token && second.expiresAt > first.expiresAt)
            #expect(second.leaseId == first.leaseId)
            #expect(try await app.join(second.token, "test") == nil)

            // Nobody renews this time: it runs out, and the app asks again.
            let expired = try await requester.notice(within: .seconds(30), "the end") { $0.kind == "expired" }
            #expect(expired.data.expiresAt == second.expiresAt)
            #expect(expired.data.generation > warned.data.generation, "the first token was renewed in time")
            #expect(try await app.join(second.token, "test") == "it has run out")
            let late = try await client.explain(ExplainRequest(second.token, channelName: "test", user: .uid(1234)))
            #expect(!late.isAccepted && late.refusals.contains { $0.contains("ran out") }, "\(late.refusals)")
            let third = try await app.fetch("test")
            #expect(try await app.join(third.token, "test") == nil)
        }
    }

    @Test func threeChannels() async throws {
        try await play { requester, app, _ in
            let channels = ["test-1", "test-2", "test-3"]
            var tokens: [String: GatewayProcess.Token] = [:]
            for channel in channels { tokens[channel] = try await app.fetch(channel) }
            for channel in channels {
                let old = try #require(tokens[channel])
                #expect(try await app.join(old.token, channel) == nil)
                let warned = try await warning(requester, channel)
                #expect(warned.data.leaseId == old.leaseId)
                let new = try await app.fetch(channel)
                #expect(new.expiresAt > old.expiresAt && new.leaseId == old.leaseId)
                #expect(try await app.join(new.token, channel) == nil)
                for other in channels where other != channel {
                    #expect(try await app.join(new.token, other) == "another channel")
                }
            }
            // Each channel had its own warning, and each renewal stopped its own timers only.
            for channel in channels {
                _ = try await requester.notice(within: .seconds(30), "the end of \(channel)") {
                    $0.kind == "expired" && $0.data.channelName == channel
                }
            }
        }
    }
}
