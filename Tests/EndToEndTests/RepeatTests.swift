// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// A message that comes twice is answered twice with one token, and makes one lease.
@Suite(.timeLimit(.minutes(3)))
struct RepeatTests {
    @Test("B23: the same message id again gets the same token and no second lease")
    func sameMessageID() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let body = #"{"channelName":"test","uid":1234,"role":1,"expire":6,"notify":{"before":[]}}"#
            let first = try await requester.ask(body, .request, .init(messageID: "m-1"))
            let second = try await requester.ask(body, .request, .init(messageID: "m-1"))
            let (one, two) = (try first.json(Contract.Reply.self), try second.json(Contract.Reply.self))
            #expect(one.token == two.token)
            #expect(one.leaseId == two.leaseId && one.generation == two.generation)
            #expect(first.properties.messageID == second.properties.messageID)

            let conflict = try await requester.error(
                #"{"channelName":"test","uid":1234,"role":2,"expire":6}"#, .request, .init(messageID: "m-1"))
            #expect(conflict.code == "idempotency_conflict")

            let lease = try #require(one.leaseId)
            _ = try await requester.notice(within: .seconds(20), "expired") { $0.kind == "expired" }
            #expect(try Set(requester.notices().map(\.data.leaseId)) == [lease])
        }
    }

    @Test func anEarlierMessageIDIsSuperseded() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let body = #"{"channelName":"test","uid":1234,"role":1}"#
            let first = try await requester.token(body, .request, .init(messageID: "m-1"))
            let second = try await requester.token(body, .request, .init(messageID: "m-2"))
            #expect(first.leaseId == second.leaseId)
            let generations = try (#require(first.generation), #require(second.generation))
            #expect(generations.0 < generations.1)
            let late = try await requester.error(body, .request, .init(messageID: "m-1"))
            #expect(late.code == "lease_superseded")
        }
    }

    /// The worker's acknowledgements are kept back by a proxy, so that the broker still has the request
    /// when the requester already has the reply; then the worker is killed.
    @Test(arguments: ["m-1", nil])
    func redeliveryAfterKillBetweenReplyAndAcknowledgement(_ messageID: String?) async throws {
        try await Scene.with { scene in
            let proxy = try HoldingProxy(to: scene.host.url, holding: .intake)
            let requester = try await Requester(url: scene.host.url)
            let first = try scene.worker(url: try await proxy.url())
            _ = try await requester.token(#"{"channelName":"warm-up","uid":1,"notify":false}"#)
            try await proxy.hold()

            let body = #"{"channelName":"test","uid":1234,"role":1,"expire":20,"notify":{"before":[]}}"#
            let correlation = try requester.send(body, .request, .init(messageID: messageID))
            let one = try await requester.reply(to: correlation).json(Contract.Reply.self)
            try await first.kill()

            let second = try scene.worker()
            let replies = try await firstAnswer(within: .seconds(30), "a second reply\n\(second.log)") {
                let all = try requester.driver.messages(in: requester.replies)
                    .filter { $0.properties.correlationID == correlation }
                return all.count > 1 ? all : nil
            }
            let two = try replies[1].json(Contract.Reply.self)
            #expect(one.token == two.token)
            #expect(one.leaseId == two.leaseId && one.generation == two.generation)

            _ = try await requester.notice(within: .seconds(40), "expired") { $0.kind == "expired" }
            let lease = try #require(one.leaseId)
            #expect(try Set(requester.notices().map(\.data.leaseId)) == [lease])
            #expect(try await second.stop() == .code(0))
        }
    }
}
