// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import LeaseStore
import Testing
import TokenMessages

@testable import TokenWorker

/// Cancellations without a reply queue: nothing is said of what went well, and what did not is kept.
@Suite struct SilentCancelTests {
    private let file: TemporaryDatabase
    private let bench: Bench

    init() throws {
        file = try TemporaryDatabase()
        bench = try Bench(store: try file.database.open())
        _ = try bench.token(for: Bench.delivery(#"{"channelName":"test","uid":1,"leaseId":"mine"}"#))
    }

    private func cancel(_ body: String) throws -> Issuer.Batch {
        try bench.issue([Bench.delivery(.cancel, body, replyTo: nil)])
    }

    @Test(arguments: [#"{"leaseId":"mine"}"#, #"{"cancellations":[{"leaseId":"mine"}]}"#, #"{"cancellations":[]}"#])
    func successIsSilent(_ body: String) throws {
        let batch = try cancel(body)
        #expect(batch.entries.isEmpty && batch.silent == [Bench.tag(1)])
    }

    @Test(arguments: [
        (#"{"leaseId":"other"}"#, "lease_not_found"), (#"{"token":"007"}"#, "token_malformed"),
        (#"{"leaseId":7}"#, "invalid_lease_id"), ("nonsense", "malformed_json"),
        (#"{"cancellations":[{"leaseId":"mine"},{"leaseId":"other"},{}]}"#, "lease_not_found"),
    ])
    func faultsAreDeadLetters(_ body: String, _ code: String) throws {
        let batch = try cancel(body)
        let letter = try #require(batch.entries.first)
        #expect(batch.entries.count == 1 && batch.silent.isEmpty && letter.receipt == Bench.tag(1))
        #expect(letter.message.routingKey == "agora.tokens.dead" && letter.mustArrive)
        #expect(letter.message.properties.headers["errorCode"]?.text == code)
        #expect(letter.message.body == Array(body.utf8))
    }

    /// The same message again, once the letter was requeued, does the rest and is as silent as if it had gone well.
    @Test func aRequeuedBatchGoesOn() throws {
        let body = #"{"cancellations":[{"leaseId":"mine"},{"leaseId":"late"}]}"#
        #expect(try cancel(body).entries.count == 1)
        _ = try bench.token(for: Bench.delivery(#"{"channelName":"late","uid":1,"leaseId":"late"}"#, number: 2))
        #expect(try cancel(body).silent == [Bench.tag(1)])
    }
}
