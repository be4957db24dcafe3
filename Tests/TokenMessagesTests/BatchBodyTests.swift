// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("Batches")
struct BatchBodyTests {
    private func items(_ body: String) throws -> [Result<TokenRequest, MessageError>]? {
        guard case .list(let items) = try MessageBody<TokenRequest>(Array(body.utf8)) else { return nil }
        return items
    }

    @Test("Items are read one by one, in order")
    func items() throws {
        let body =
            #"{"requests":[{"channelName":"a","uid":1},{"channelName":"b","uid":-1},{"channelName":"c","uid":3}]}"#
        let items = try #require(try items(body))
        #expect(items.map { try? $0.get().scope.channelName } == ["a", nil, "c"])
        guard case .failure(let error) = items[1] else {
            Issue.record("uid -1 was taken")
            return
        }
        #expect(error.code == .invalidUID && error.field == "uid")
        #expect(try self.items(#"{"channelName":"a","uid":1}"#) == nil)
        #expect(try self.items(#"{"requests":[]}"#)?.count == 0)
    }

    @Test(
        "What is no list of at most 100 objects is refused",
        arguments: [
            Refusal(#"{"requests":{}}"#, .invalidRequests, "requests", "an array"),
            Refusal(#"{"requests":null}"#, .invalidRequests, "requests", "null"),
            Refusal(#"{"requests":[],"service":"rtc"}"#, .unknownField, "service", "beside requests"),
            Refusal(#"{"renewals":[]}"#, .unknownField, "renewals", "not a field"),
            Refusal(
                "{\"requests\":[" + Array(repeating: "{}", count: 101).joined(separator: ",") + "]}",
                .invalidRequests, "requests", "101 items"),
        ])
    func refused(_ refusal: Refusal) throws {
        let error = try #require(try refusal.error { try MessageBody<TokenRequest>($0) })
        #expect(error.code == refusal.code)
        #expect(error.field == refusal.field)
        #expect(error.message.contains(refusal.says))
    }

    @Test("What is encoded is read again")
    func encoding() throws {
        let requests = ["a", "b"].map { TokenRequest(channelName: $0, user: .uid(1)) }
        guard case .list(let read) = try MessageBody<TokenRequest>(Batch.encode(requests)) else {
            Issue.record("no list")
            return
        }
        #expect(try read.map { try $0.get() } == requests)
        let renewals = [RenewRequest(.leaseID("a"), expire: 5), RenewRequest(.token("007"))]
        guard case .list(let read) = try MessageBody<RenewRequest>(Batch.encode(renewals)) else {
            Issue.record("no list")
            return
        }
        #expect(try read.map { try $0.get() } == renewals)
    }

    @Test("A reply to a batch is read again, whatever its results are")
    func replies() throws {
        let token = TokenReply(
            token: "007x", grant: Samples.grant(), issuedAt: 1_790_000_000, lease: ("a", 5),
            leads: Leads([30], lifetime: 3600)
        )
        let cancelled = CancelledReply(
            leaseID: "a", generation: 6, appID: Samples.appID, scope: Samples.scope, tokenExpiresAt: 1_790_003_600)
        let reply = BatchReply(results: [
            .token(token), .error(MessageError(.leaseNotFound, "gone")), .cancelled(cancelled),
        ])
        #expect(try BatchReply(reply.encode()) == reply)
        #expect(try Reply(type: "token.batch", body: Reply.batch(reply).encode()) == .batch(reply))
    }

    @Test("Each item has a key of its own, and the first that of the message")
    func keys() {
        var properties = RequestProperties(kind: .request)
        properties.messageID = Array("m".utf8)
        let key = RequestKey(properties, body: [])
        #expect(key.item(0) == key)
        #expect(Set((0..<100).map { key.item($0).key }).count == 100)
        #expect(key.replyID(generations: [1, nil]) != key.replyID(generations: [nil, 1]))
        #expect(key.replyID(generations: [1]) == key.replyID(generation: 1))
    }
}
