// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import AgoraToken
import TestSupport
import Testing
import TokenClient
import TokenMessages

/// The Swift client against a live worker, and with its connections taken away.
@Suite(.timeLimit(.minutes(2)))
struct ClientTests {
    /// How many messages wait in the request queue.
    private func waitingRequests(_ host: VirtualHost) throws -> Int {
        let topology = try Topology(
            ConnectionConfiguration(endpoints: [try AMQPURL(parsing: host.url)], connectionName: "look"))
        return try topology.checkQueue("agora.tokens.request").messages
    }

    @Test func asksRenewsHearsAndCancels() async throws {
        try await Scene.withWorker { scene, _ in
            let subscription = NoticeSubscription(try SwiftClient.configuration(scene.host.url))
            subscription.start()
            defer { subscription.close() }
            try await SwiftClient.with(scene.host.url) { client in
                var request = TokenRequest(channelName: "test", user: .uid(1234))
                request.expire = 6
                request.notify = .before([3])
                let first = try await client.request(request, messageID: "m1")
                let repeated = try await client.request(request, messageID: "m1")
                #expect(repeated == first)
                let leaseID = try #require(first.leaseID)
                var notices = subscription.notices.makeAsyncIterator()
                let warning = try #require(await notices.next())
                #expect(warning.kind == .willExpire)
                #expect(warning.generation == first.generation)
                let second = try await client.renew(RenewRequest(.token(first.token), expire: 60))
                #expect(second.leaseID == leaseID)
                #expect(second.expiresAt > first.expiresAt)
                let cancelled = try await client.cancel(CancelRequest(.leaseID(leaseID)))
                #expect(cancelled.tokenExpiresAt == second.expiresAt)
                await #expect {
                    try await client.renew(RenewRequest(.leaseID(leaseID)))
                } throws: { error in
                    guard case .refused(let reason) = error as? ClientError else { return false }
                    return reason.code == .leaseCancelled
                }
            }
        }
    }

    @Test func withoutAWorkerACallTimesOutAndWithoutAQueueItFails() async throws {
        try await Scene.with { scene in
            try await SwiftClient.with(scene.host.url, timeout: .seconds(1)) { client in
                await #expect(throws: ClientError.timedOut) {
                    try await client.request(TokenRequest(channelName: "test", user: .uid(1)))
                }
            }
        }
        try await VirtualHost.with { host in
            try await SwiftClient.with(host.url) { client in
                do throws(ClientError) {
                    _ = try await client.request(TokenRequest(channelName: "test", user: .uid(1)))
                    Issue.record("a request without a queue was answered")
                } catch {
                    guard case .unavailable = error else {
                        Issue.record("\(error)")
                        return
                    }
                }
            }
        }
    }

    @Test("B31: when the connection goes, waiting calls fail at once, and the next one has a reply queue of its own")
    func whenTheConnectionGoesWaitingCallsFailAtOnceAndTheNextOneWorks() async throws {
        try await Scene.with { scene in
            try await scene.host.withUser("client") { user, url in
                try await SwiftClient.with(url, timeout: .seconds(60)) { client in
                    let lost = Task { try await client.request(TokenRequest(channelName: "test", user: .uid(1))) }
                    try await eventually(within: .seconds(20), "the request is in its queue") {
                        try waitingRequests(scene.host) == 1
                    }
                    let start = ContinuousClock.now
                    try await scene.host.broker.management.call("DELETE", ["connections", "username", user])
                    let result = await lost.result
                    #expect(ContinuousClock.now - start < .seconds(10))
                    #expect {
                        try result.get()
                    } throws: { error in
                        if case .unavailable = error as? ClientError { true } else { false }
                    }
                    let worker = try scene.worker()
                    let reply = try await client.request(TokenRequest(channelName: "test", user: .uid(2)))
                    #expect(reply.token.hasPrefix("007"))
                    try await worker.stop()
                }
            }
        }
    }

    @Test func aCallerThatDiedHoldsUpNobodyElse() async throws {
        try await Scene.with { scene in
            try await scene.host.withUser("dead") { user, url in
                try await SwiftClient.with(url, timeout: .seconds(60)) { client in
                    // More than a worker is given at a time, so that their replies could fill it.
                    let calls = (1...400).map { uid in
                        Task { try await client.request(TokenRequest(channelName: "test", user: .uid(UInt32(uid)))) }
                    }
                    try await eventually(within: .seconds(20), "the requests are in their queue") {
                        try waitingRequests(scene.host) == 400
                    }
                    client.close()
                    for call in calls { _ = await call.result }
                }
                let worker = try scene.worker()
                try await SwiftClient.with(scene.host.url) { client in
                    _ = try await client.request(TokenRequest(channelName: "test", user: .uid(1)))
                    let start = ContinuousClock.now
                    _ = try await client.request(TokenRequest(channelName: "test", user: .uid(2)))
                    #expect(ContinuousClock.now - start < .seconds(3))
                }
                try await eventually(within: .seconds(20), "the replies that nobody takes are given up") {
                    worker.log.split(separator: "\n").count { $0.contains("reply_undeliverable") } == 400
                }
                let exit = try await worker.stop()
                #expect(exit == .code(0))
            }
        }
    }

    @Test func batchesAreAnsweredInOrderAndTokensExplained() async throws {
        try await Scene.withWorker { scene, _ in
            try await SwiftClient.with(scene.host.url) { client in
                #expect(try await client.request([]).isEmpty)
                let requests = ["one", "räum", "three"].map { TokenRequest(channelName: $0, user: .uid(1234)) }
                let issued = try await client.request(requests, messageID: "batch")
                #expect(issued.map { (try? $0.get())?.scope.channelName } == ["one", nil, "three"])
                guard case .failure(let refusal) = issued[1] else { throw TestFailure("\(issued[1])") }
                #expect(refusal.code == .invalidChannelName)
                #expect(try await client.request(requests, messageID: "batch") == issued)

                let leases = try [0, 2].map { LeaseReference.leaseID(try #require(try issued[$0].get().leaseID)) }
                let renewed = try await client.renew(leases.map { RenewRequest($0) })
                let tokens = try renewed.map { try $0.get().token }
                #expect(try await Verifier.read(tokens).allSatisfy(\.signed))
                let cancelled = try await client.cancel(leases.map { CancelRequest($0) })
                #expect(try cancelled.map { try $0.get().scope.channelName } == ["one", "three"])

                let good = try await client.explain(ExplainRequest(tokens[0], channelName: "one", user: .uid(1234)))
                #expect(good.isAccepted)
                let bad = try await client.explain(ExplainRequest(tokens[0], channelName: "one", user: .uid(123456)))
                #expect(!bad.isAccepted && bad.refusals.contains { $0.contains("1234") && $0.contains("123456") })
            }
        }
    }

    /// The client's end of this looks for calls that are left.
    @Test("B32: calls that were given up leave nothing behind, and late replies are dropped")
    func nothingIsLeftOfCallsThatWereGivenUp() async throws {
        try await Scene.with { scene in
            try await SwiftClient.with(scene.host.url, timeout: .milliseconds(700)) { client in
                let calls = (0..<300).map { number in
                    Task { try await client.request(TokenRequest(channelName: "test", user: .uid(number + 1))) }
                }
                for call in calls.prefix(150) { call.cancel() }
                var errors: [ClientError: Int] = [:]
                for call in calls {
                    guard case .failure(let error as ClientError) = await call.result else {
                        throw TestFailure("there is no worker, and a call got an answer")
                    }
                    errors[error, default: 0] += 1
                }
                #expect(errors[.cancelled, default: 0] > 0)
                #expect(errors[.cancelled, default: 0] + errors[.timedOut, default: 0] == 300, "\(errors)")
            }
        }
    }
}
