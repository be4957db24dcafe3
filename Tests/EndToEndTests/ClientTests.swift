// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TestSupport
import Testing
import TokenClient
import TokenMessages

/// The Swift client against a live worker, and with its connections taken away.
@Suite(.timeLimit(.minutes(2)))
struct ClientTests {
    private func configuration(_ url: String, timeout: Duration = .seconds(20)) throws -> ClientConfiguration {
        ClientConfiguration(endpoints: [try AMQPURL(parsing: url)], timeout: timeout)
    }

    /// Runs with a client that is closed afterwards.
    private func withClient(
        _ url: String, timeout: Duration = .seconds(20), _ body: (TokenClient) async throws -> Void
    ) async throws {
        let client = TokenClient(try configuration(url, timeout: timeout))
        client.start()
        defer { client.close() }
        try await body(client)
    }

    /// How many messages wait in the request queue.
    private func waitingRequests(_ host: VirtualHost) throws -> Int {
        let topology = try Topology(
            ConnectionConfiguration(endpoints: [try AMQPURL(parsing: host.url)], connectionName: "look"))
        return try topology.checkQueue("agora.tokens.request").messages
    }

    @Test func asksRenewsHearsAndCancels() async throws {
        try await Scene.withWorker { scene, _ in
            let subscription = NoticeSubscription(try configuration(scene.host.url))
            subscription.start()
            defer { subscription.close() }
            try await withClient(scene.host.url) { client in
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
            try await withClient(scene.host.url, timeout: .seconds(1)) { client in
                await #expect(throws: ClientError.timedOut) {
                    try await client.request(TokenRequest(channelName: "test", user: .uid(1)))
                }
            }
        }
        try await VirtualHost.with { host in
            try await withClient(host.url) { client in
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
                try await withClient(url, timeout: .seconds(60)) { client in
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
                try await withClient(url, timeout: .seconds(60)) { client in
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
                try await withClient(scene.host.url) { client in
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
}
