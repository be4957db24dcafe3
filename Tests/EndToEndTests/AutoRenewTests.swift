// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// Leases that the worker renews by itself.
@Suite(.timeLimit(.minutes(4)))
struct AutoRenewTests {
    private var until: Int { Int(Date().timeIntervalSince1970) + 600 }

    @Test func tokensComeByThemselvesUntilTheLast() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let correlation = try requester.send(
                #"{"channelName":"test","uid":1,"expire":4,"notify":{"before":[2]},"autoRenew":{"until":\#(until),"max":2}}"#
            )
            _ = try await requester.notice(within: .seconds(30), "expired") { $0.kind == "expired" }
            let messages = try requester.driver.messages(in: requester.replies)
            #expect(messages.map(\.properties.type) == ["token.issued", "token.renewed", "token.renewed"])
            #expect(messages.allSatisfy { $0.properties.correlationID == correlation })
            let replies = try messages.map { try $0.json(Contract.Reply.self) }
            let generations = try replies.map { try #require($0.generation) }
            #expect(generations == Array(Set(generations)).sorted())
            #expect(Set(replies.map(\.leaseId)).count == 1 && Set(replies.map(\.token)).count == 3)
            let ends = replies.map(\.expiresAt)
            #expect(zip(ends, ends.dropFirst()).allSatisfy { $0 < $1 })
            let findings = try await Verifier.read(replies.map(\.token))
            #expect(findings.count(where: \.signed) == 3)

            // Each token was there before its notice, and no notice has one.
            let notices = try requester.driver.messages(in: requester.notices)
            let told = try notices.map { try $0.json(Contract.Notice.self) }
            #expect(told.map(\.kind) == ["renewed", "renewed", "will_expire", "expired"])
            #expect(told.map(\.data.generation) == [generations[1], generations[2], generations[2], generations[2]])
            for (token, notice) in zip(messages.dropFirst(), notices) { #expect(token.arrival <= notice.arrival) }
            #expect(!notices.contains { $0.text.contains("007eJ") })
        }
    }

    @Test func aQueueOfTheirOwnAndACancelThatVetoes() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let tokens = "reply.\(UUID().uuidString)"
            try await requester.driver.declare(tokens)
            try await requester.driver.consume(tokens)
            let body = { (user: Int) in
                #"{"channelName":"test","uid":\#(user),"expire":6,"notify":{"before":[3]},"#
                    + #""autoRenew":{"until":\#(until),"replyTo":"\#(tokens)"}}"#
            }
            let kept = try await requester.token(body(1))
            let cancelled = try await requester.token(body(2))
            let lease = try #require(cancelled.leaseId)
            _ = try await requester.ask(#"{"leaseId":"\#(lease)"}"#, .cancel)
            let arrived = try await firstAnswer(within: .seconds(20), "two renewals") {
                let messages = try requester.driver.messages(in: tokens)
                return messages.count >= 2 ? messages : nil
            }
            let leases = try arrived.map { try $0.json(Contract.Reply.self).leaseId }
            #expect(Set(leases) == [kept.leaseId])
            #expect(try requester.notices(of: lease).map(\.kind) == ["cancelled"])
        }
    }

    @Test func aQueueThatIsGoneIsSaid() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let reply = try await requester.token(
                #"{"channelName":"test","uid":1,"expire":4,"notify":{"before":[2]},"#
                    + #""autoRenew":{"until":\#(until),"replyTo":"reply.nobody"}}"#)
            let failure = try await requester.notice(within: .seconds(30), "renewal_failed") {
                $0.kind == "renewal_failed"
            }
            #expect(failure.data.reason == "reply_undeliverable")
            #expect(failure.data.generation > (reply.generation ?? 0) && failure.data.expiresAt > reply.expiresAt)
            _ = try await requester.notice(within: .seconds(20), "expired") {
                $0.kind == "expired" && $0.data.generation == failure.data.generation
            }
            #expect(try requester.notices().map(\.kind).suffix(2) == ["renewal_failed", "expired"])
        }
    }

    @Test func whatCannotBeCarriedOutIsRefused() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            for (order, field) in [
                (#"{"until":1790000000}"#, "autoRenew.until"),
                (#"{"until":\#(until),"replyTo":"agora.tokens.request"}"#, "autoRenew.replyTo"),
            ] {
                let error = try await requester.error(#"{"channelName":"test","uid":1,"autoRenew":\#(order)}"#)
                #expect(error.code == "invalid_auto_renew" && error.field == field)
            }
        }
    }
}
