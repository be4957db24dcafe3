// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import AgoraToken
import LeaseStore
import Testing
import TokenMessages

@testable import TokenWorker

/// Tokens with leases, in a real SQLite file.
@Suite struct LeasedTokenTests {
    private let file: TemporaryDatabase
    private let bench: Bench

    init() throws {
        file = try TemporaryDatabase()
        bench = try Bench(store: try file.database.open())
    }

    private let body = #"{"channelName":"test","uid":1234}"#

    @Test func aLeaseIsScheduledAndItsTokenVerifies() throws {
        let reply = try bench.token(for: Bench.delivery(body))
        #expect(reply.isScheduled)
        #expect(reply.leaseID?.hasPrefix("l-") == true)
        #expect(reply.notifyBefore == [30])
        #expect(reply.renewAfter == reply.expiresAt - 30)
        let token = try AccessToken.parse(reply.token)
        #expect(token.isSigned(by: bench.project.certificate))
        #expect(token.issuedAt == reply.issuedAt)
    }

    @Test func theSameMessageIDGetsTheSameTokenAndReplyID() throws {
        let delivery = Bench.delivery(body) { $0.messageID = "m1" }
        let first = try #require(try bench.issue([delivery]).entries.first).message
        let second = try #require(try bench.issue([delivery]).entries.first).message
        #expect(first.body == second.body)
        #expect(first.properties.messageID == second.properties.messageID)
        let other = Bench.delivery(#"{"channelName":"test","uid":1234,"expire":60}"#) { $0.messageID = "m1" }
        #expect(try bench.error(for: other).code == .idempotencyConflict)
    }

    @Test("A message id that is no text is a key by its bytes")
    func aMessageIDOfBytes() throws {
        func generation(_ id: [UInt8]) throws -> Int64? {
            try bench.token(for: Bench.delivery(body) { $0.messageIDBytes = id }).generation
        }
        let first = try generation([0xFF, 1])
        #expect(try generation([0xFF, 1]) == first)
        #expect(try generation([0xFF, 2]) != first)
    }

    @Test func withoutAMessageIDOnlyARedeliveryIsARepeat() throws {
        let first = try bench.token(for: Bench.delivery(body))
        let redelivered = try bench.token(for: Bench.delivery(body, isRedelivered: true))
        #expect(redelivered.token == first.token)
        #expect(redelivered.generation == first.generation)
        let anew = try bench.token(for: Bench.delivery(body))
        #expect(anew.generation != first.generation)
    }

    @Test func aBatchThatIsTriedAgainMakesNoSecondGeneration() throws {
        let delivery = Bench.delivery(body)
        let first = try #require(try bench.issue([delivery]).entries.first).message
        let again = try #require(try bench.issue([delivery], isRetry: true).entries.first).message
        #expect(again.body == first.body)
    }

    @Test func renewedByIDAndByToken() throws {
        let first = try bench.token(for: Bench.delivery(body))
        let byID = try bench.token(for: Bench.delivery(.renew, #"{"leaseId":"\#(first.leaseID ?? "")"}"#))
        #expect(byID.leaseID == first.leaseID)
        #expect(byID.token != first.token)
        #expect((byID.generation ?? 0) > (first.generation ?? 0))
        let byToken = try bench.token(for: Bench.delivery(.renew, #"{"token":"\#(byID.token)"}"#))
        #expect(byToken.leaseID == first.leaseID)
        let stale = Bench.delivery(.renew, #"{"token":"\#(first.token)"}"#)
        #expect(try bench.error(for: stale).code == .leaseSuperseded)
    }

    @Test func anotherCallersLeaseIsNotFound() throws {
        let mine = try bench.token(for: Bench.delivery(body) { $0.userID = "alice" })
        let id = mine.leaseID ?? ""
        for kind in [MessageKind.renew, .cancel] {
            let theirs = Bench.delivery(kind, #"{"leaseId":"\#(id)"}"#) { $0.userID = "bob" }
            #expect(try bench.error(for: theirs).code == .leaseNotFound)
        }
        // Asking for the same channel and user makes a lease of one's own.
        let own = try bench.token(for: Bench.delivery(body) { $0.userID = "bob" })
        #expect(own.leaseID != mine.leaseID)
        let renewed = try bench.token(
            for: Bench.delivery(.renew, #"{"leaseId":"\#(id)"}"#) { $0.userID = "alice" })
        #expect(renewed.leaseID == mine.leaseID)
    }

    @Test func aPropertyThatIsNotTextIsNotTakenForNone() throws {
        let mine = try bench.token(for: Bench.delivery(body))
        let theirs = try bench.token(for: Bench.delivery(body) { $0.undecodable = ["app_id"] })
        #expect(theirs.leaseID != mine.leaseID)
        #expect(try bench.error(for: Bench.delivery(body) { $0.undecodable = ["type"] }).code == .unsupportedType)
        let dead = try bench.issue([Bench.delivery(body, replyTo: nil) { $0.undecodable = ["reply_to"] }]).entries
        #expect(dead.map(\.message.routingKey) == ["agora.tokens.dead"])
        #expect(dead.first?.message.properties.headers["errorCode"]?.text == "reply_to_not_allowed")
    }

    @Test(arguments: [nil, ""]) func cancelledAndWithoutAReplyQueueAcknowledgedSilently(replyTo: String?) throws {
        let first = try bench.token(for: Bench.delivery(body))
        let cancel = Bench.delivery(.cancel, #"{"leaseId":"\#(first.leaseID ?? "")"}"#, number: 7, replyTo: replyTo)
        let batch = try bench.issue([cancel])
        #expect(batch.entries.isEmpty)
        #expect(batch.silent == [Bench.tag(7)])
        let renewal = Bench.delivery(.renew, #"{"leaseId":"\#(first.leaseID ?? "")"}"#)
        #expect(try bench.error(for: renewal).code == .leaseCancelled)
    }

    @Test func whatIsWrongInABatchSpoilsNothingElse() throws {
        let batch = try bench.issue([
            Bench.delivery(body, number: 1), Bench.delivery("nonsense", number: 2),
            Bench.delivery(#"{"channelName":"test","uid":0}"#, number: 3),
            Bench.delivery(.renew, #"{"leaseId":"l-00"}"#, number: 4), Bench.delivery(body, number: 5, replyTo: nil),
            Bench.delivery(#"{"channelName":"test","uid":6,"notify":false}"#, number: 6),
        ])
        #expect(batch.entries.map(\.receipt) == (1...6).map { Bench.tag($0) })
        #expect(
            batch.entries.map { $0.message.properties.type } == [
                "token.issued", "token.error", "token.issued", "token.error", "token.request", "token.issued",
            ])
        #expect(batch.entries.map { $0.claim != nil } == [true, false, true, false, false, false])
    }

    @Test func anUndeliverableRequestEndsItsLease() throws {
        let batch = try bench.issue([Bench.delivery(body, number: 3)])
        let claim = try #require(batch.entries.first?.claim)
        let undone = try bench.issuer.undo(
            [.init(receipt: Bench.tag(3), claim: claim)], store: bench.store, now: 1_790_000_000_000)
        #expect(undone.entries.isEmpty)
        #expect(undone.silent == [Bench.tag(3)])
        #expect(try bench.store?.counts().live == 0)
    }

    @Test func anUndeliverableRenewalStandsAndItsOwnerIsTold() throws {
        let first = try bench.token(for: Bench.delivery(body))
        let renewal = Bench.delivery(.renew, #"{"leaseId":"\#(first.leaseID ?? "")"}"#, number: 4) {
            $0.messageID = "r1"
        }
        let renewed = try #require(try bench.issue([renewal]).entries.first)
        let undone = try bench.issuer.undo(
            [.init(receipt: Bench.tag(4), claim: try #require(renewed.claim))], store: bench.store,
            now: 1_790_000_000_000)
        let told = try #require(undone.entries.first)
        #expect(told.receipt == Bench.tag(4))
        #expect(told.mustArrive)
        #expect(told.message.exchange == "agora.notices")
        #expect(told.message.routingKey == "renewal_failed.rtc.anonymous")
        let notice = try Notice(told.message.body)
        #expect(notice.kind == .renewalFailed)
        #expect(notice.reason == "reply_undeliverable")
        #expect(notice.leaseID == first.leaseID)
        let repeated = try #require(try bench.issue([renewal]).entries.first).message
        #expect(repeated.body == renewed.message.body)
    }
}
