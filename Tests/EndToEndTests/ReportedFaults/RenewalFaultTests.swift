// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// What users of comparable systems got wrong about renewals, tried on a live worker.
@Suite(.timeLimit(.minutes(3)))
struct RenewalFaultTests {
    @Test("B11: a renewal that would change the channel is refused, and one that does not changes only the times")
    func sameIdentity() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let first = try await requester.token(#"{"channelName":"c1","uid":7,"role":1,"leaseId":"L"}"#)
            let refused = try await requester.error(#"{"leaseId":"L","channelName":"c2"}"#, .renew)
            #expect(refused.code == "unknown_field" && refused.field == "channelName")
            #expect(refused.message.contains("token.request"), "it says what to do: \(refused.message)")
            let second = try await requester.token(#"{"leaseId":"L"}"#, .renew)
            #expect(second.channelName == "c1" && second.uid == 7 && second.token != first.token)
            #expect(second.privileges.keys.sorted() == first.privileges.keys.sorted())
            #expect(second.expiresAt >= first.expiresAt)
        }
    }

    /// What is wrong with a renewal, its code, and its field.
    static let malformed = [
        ("{}", "missing_field", "token"), (#"{"leaseId":7}"#, "invalid_lease_id", "leaseId"),
        (#"{"leaseId":null}"#, "invalid_lease_id", "leaseId"), (#"{"token":[]}"#, "invalid_token", "token"),
        ("[]", "malformed_json", nil), ("", "malformed_json", nil),
    ]

    @Test("B28: a malformed renewal gets one error, and takes neither the connection nor the worker down")
    func malformedRenewals() async throws {
        try await Scene.withWorker { scene, worker in
            let requester = try await Requester(url: scene.host.url)
            _ = try await requester.token(#"{"channelName":"c1","uid":7,"leaseId":"L"}"#)
            let connections = worker.log.count(of: #""event":"connected""#)
            #expect(connections > 0)
            for (body, code, field) in Self.malformed {
                let error = try await requester.error(body, .renew)
                #expect(error.code == code && error.field == field, "\(body): \(error.message)")
            }
            _ = try await requester.token(#"{"leaseId":"L"}"#, .renew)
            #expect(worker.log.count(of: #""event":"connected""#) == connections && worker.exit == nil)
            #expect(try requester.driver.messages(in: requester.replies).count == Self.malformed.count + 2)
            #expect(try await requester.driver.look(at: "agora.tokens.renew").messages == 0)
        }
    }

    @Test("B26: twenty renewals of one lease, while the connections are closed again and again")
    func renewalsOverReconnections() async throws {
        try await Scene.with { scene in
            try await scene.host.withUser("worker") { user, url in
                let worker = try scene.worker(url: url)
                let requester = try await Requester(url: scene.host.url)
                var current = try await requester.token(#"{"channelName":"c1","uid":7}"#)
                var generations = [try #require(current.generation)]
                for round in 1...20 {
                    if round % 5 == 0 {
                        try await scene.host.broker.management.call("DELETE", ["connections", "username", user])
                    }
                    let next = try await requester.token(
                        #"{"token":"\#(current.token)"}"#, .renew, .init(messageID: "r\(round)"), within: .seconds(40))
                    #expect(next.leaseId == current.leaseId && next.expiresAt >= current.expiresAt)
                    current = next
                    generations.append(try #require(next.generation))
                }
                #expect(generations == Array(Set(generations)).sorted() && generations.count == 21)
                #expect(worker.log.count(of: #""event":"connected""#) > 2, "the connections were closed")
                #expect(try await worker.stop() == .code(0))
            }
        }
    }
}

extension String {
    /// How often a text is in it.
    fileprivate func count(of text: String) -> Int { components(separatedBy: text).count - 1 }
}
