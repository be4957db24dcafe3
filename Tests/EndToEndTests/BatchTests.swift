// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// Several channels in one message: an answer to each item, in order, and a bad one spoils no other.
@Suite(.timeLimit(.minutes(3)))
struct BatchTests {
    /// The reply to a batch.
    struct Reply: Decodable, Sendable {
        /// A token, a cancelled lease or an error, whichever the members are of.
        struct Item: Decodable, Sendable {
            var token: String?
            var leaseId: String?
            var generation: Int?
            var channelName: String?
            var uid: UInt32?
            var issuedAt: Int?
            var expiresAt: Int?
            var tokenExpiresAt: Int?
            var scheduled: Bool?
            var error: Contract.ErrorReply.Body?

            var code: String? { error?.code }
            var field: String? { error?.field }
        }
        var results: [Item]
    }

    static func batch(_ message: DriverMessage) throws -> [Reply.Item] {
        guard message.properties.type == "token.batch", message.properties.headers?["status"]?.text == "ok" else {
            throw TestFailure("not a batch: \(message.text)")
        }
        return try message.json(Reply.self).results
    }

    @Test func threeChannelsLiveOneLifeTogether() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let requests = """
                {"requests":[
                 {"channelName":"one","uid":1,"leaseId":"first"},
                 {"channelName":"bad/name","uid":1},
                 {"channelName":"two","uid":1,"notify":false},
                 7,
                 {"channelName":"three","uid":1,"expire":60}
                ]}
                """
            let message = try await requester.ask(requests, .request, .init(messageID: "b-1"))
            let issued = try Self.batch(message)
            #expect(issued.map(\.channelName) == ["one", nil, "two", nil, "three"])
            #expect(issued.map(\.code) == [nil, "invalid_channel_name", nil, "invalid_requests", nil])
            #expect(issued.map(\.field) == [nil, "channelName", nil, "requests", nil])
            #expect(issued.map(\.scheduled) == [true, nil, false, nil, true])
            let findings = try await Verifier.read(issued.compactMap(\.token))
            #expect(findings.map(\.signed) == [true, true, true])
            #expect(findings.map { $0.services?.first?.channelName } == ["one", "two", "three"])

            // What has a lease is known again; what has none is signed anew.
            let again = try await requester.ask(requests, .request, .init(messageID: "b-1"))
            let repeated = try Self.batch(again)
            for item in [0, 4] { #expect(repeated[item].token == issued[item].token) }
            #expect(again.properties.messageID == message.properties.messageID)
            let conflict = try await requester.error(
                #"{"channelName":"one","uid":1,"leaseId":"first"}"#, .request, .init(messageID: "b-1"))
            #expect(conflict.code == "idempotency_conflict")

            let token = try #require(issued[4].token)
            let renewals = #"{"renewals":[{"token":"\#(token)"},{"leaseId":"none"},{"leaseId":"first","expire":90}]}"#
            let renewed = try Self.batch(try await requester.ask(renewals, .renew))
            #expect(renewed.map(\.channelName) == ["three", nil, "one"])
            #expect(renewed.map(\.code) == [nil, "lease_not_found", nil])
            for (new, old) in [(renewed[0], issued[4]), (renewed[2], issued[0])] {
                #expect(new.generation ?? 0 > old.generation ?? .max)
            }

            let cancellations = #"{"cancellations":[{"leaseId":"first"},{"lease":"x"},{"token":"\#(token)"}]}"#
            let cancelled = try Self.batch(try await requester.ask(cancellations, .cancel))
            #expect(cancelled.map(\.leaseId) == ["first", nil, nil])
            #expect(cancelled[0].tokenExpiresAt != nil)
            #expect(cancelled.map(\.code) == [nil, "unknown_field", "lease_superseded"])
        }
    }

    @Test func theSizeIsLimited() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            func body(_ count: Int) -> String {
                let items = (0..<count).map { #"{"channelName":"c\#($0)","uid":1}"# }
                return #"{"requests":[\#(items.joined(separator: ","))]}"#
            }
            let full = try Self.batch(try await requester.ask(body(100)))
            #expect(full.compactMap(\.token).count == 100)
            #expect(full.map(\.channelName) == (0..<100).map { "c\($0)" })
            #expect(Set(full.compactMap(\.leaseId)).count == 100)
            let more = try await requester.error(body(101))
            #expect(more.code == "invalid_requests" && more.field == "requests")
            #expect(more.message.contains("101"))
            let beside = try await requester.error(#"{"requests":[],"appId":"x"}"#)
            #expect(beside.code == "unknown_field" && beside.field == "appId")
            #expect(try Self.batch(try await requester.ask(#"{"requests":[]}"#)).isEmpty)
        }
    }

    @Test func anUndeliverableReplyUndoesEveryItem() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let issued = try Self.batch(
                try await requester.ask(
                    #"{"requests":[{"channelName":"a","uid":1},{"channelName":"b","uid":1}]}"#))
            let leases = issued.compactMap(\.leaseId)
            try #require(leases.count == 2)
            let nowhere = DriverProperties(replyTo: "reply.nowhere")
            let renewals = leases.map { #"{"leaseId":"\#($0)"}"# }.joined(separator: ",")
            _ = try requester.send(#"{"renewals":[\#(renewals)]}"#, .renew, nowhere)
            _ = try requester.send(#"{"requests":[{"channelName":"c","uid":1,"leaseId":"c"}]}"#, .request, nowhere)
            for lease in leases {
                _ = try await requester.notice(within: .seconds(20), "renewal_failed") {
                    $0.kind == "renewal_failed" && $0.data.leaseId == lease
                }
            }
            try await eventually(within: .seconds(20), "the end of the lease that nobody heard of") {
                try await requester.error(#"{"leaseId":"c"}"#, .renew).code == "lease_not_found"
            }
            try await eventually(within: .seconds(20), "every message to be acknowledged") {
                let requests = try await requester.driver.look(at: "agora.tokens.request").messages
                let renewals = try await requester.driver.look(at: "agora.tokens.renew").messages
                return requests + renewals == 0
            }
        }
    }
}
