// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// A trace goes from a message to all that it causes.
@Suite(.timeLimit(.minutes(2)))
struct TraceTests {
    private func properties(_ parent: String, _ state: String?) -> DriverProperties {
        var headers = ["traceparent": HeaderValue.text(parent)]
        if let state { headers["tracestate"] = .text(state) }
        return DriverProperties(headers: headers)
    }

    private func parent(_ digit: Character) -> String {
        "00-\(String(repeating: digit, count: 32))-00f067aa0ba902b7-01"
    }

    @Test func repliesNoticesAndRenewalsCarryIt() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let body = #"{"channelName":"test","uid":1,"expire":6,"notify":{"before":[3]}}"#
            let reply = try await requester.ask(body, .request, properties(parent("1"), "vendor=a"))
            #expect(reply.properties.headers?["traceparent"] == .text(parent("1")))
            #expect(reply.properties.headers?["tracestate"] == .text("vendor=a"))
            // The renewal is a new piece of work: its trace takes over, in its notice and in those that follow.
            let token = try reply.json(Contract.Reply.self).token
            let renewal = try await requester.ask(
                #"{"token":"\#(token)"}"#, .renew, properties(parent("2"), "vendor=b"))
            #expect(renewal.properties.headers?["traceparent"] == .text(parent("2")))
            _ = try await requester.notice(within: .seconds(20), "expired") { $0.kind == "expired" }
            let notices = try requester.driver.messages(in: requester.notices)
            #expect(notices.count >= 2)
            for notice in notices {
                #expect(notice.properties.headers?["traceparent"] == .text(parent("2")))
                #expect(notice.properties.headers?["tracestate"] == .text("vendor=b"))
                #expect(try notice.json(Event.self) == Event(traceparent: parent("2"), tracestate: "vendor=b"))
            }
        }
    }

    @Test func aMalformedOneIsDroppedAndNobodyIsRefused() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            for bad in ["", "nonsense", parent("0"), parent("g"), parent("1").uppercased() + "-00"] {
                let reply = try await requester.ask(
                    #"{"channelName":"test","uid":1,"notify":false}"#, .request, properties(bad, "vendor=a"))
                #expect(reply.properties.type == "token.issued")
                #expect(reply.properties.headers?["traceparent"] == nil, "\(bad)")
                #expect(reply.properties.headers?["tracestate"] == nil, "\(bad)")
            }
            let reply = try await requester.ask(
                #"{"channelName":"test","uid":1,"notify":false}"#, .request, properties(parent("1"), "no list"))
            #expect(reply.properties.headers?["traceparent"] == .text(parent("1")))
            #expect(reply.properties.headers?["tracestate"] == nil)
        }
    }

    private struct Event: Decodable, Hashable {
        var traceparent: String?
        var tracestate: String?
    }
}
