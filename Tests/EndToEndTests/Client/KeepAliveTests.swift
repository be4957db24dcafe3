// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TestSupport
import Testing
import TokenClient
import TokenMessages

/// Tokens that the Swift client keeps valid, with a live worker.
@Suite(.timeLimit(.minutes(3)))
struct KeepAliveTests {
    private func request(_ channel: String, expire: UInt32, before: [UInt32]) -> TokenRequest {
        var request = TokenRequest(channelName: channel, user: .uid(1234))
        request.expire = expire
        request.notify = .before(before)
        return request
    }

    /// The next so many tokens of what is kept.
    private func tokens(_ kept: KeptToken, _ count: Int) async throws -> [TokenReply] {
        var tokens: [TokenReply] = []
        for await update in kept.updates {
            switch update {
            case .token(let reply): tokens.append(reply)
            case .failed: break
            case .ended(let error): throw TestFailure("it ended: \(String(describing: error))")
            }
            if tokens.count == count { break }
        }
        return tokens
    }

    @Test("B12, B13, B14: the warning comes for every generation, and each token is a new one that ends later")
    func holdsAValidTokenOverManyGenerations() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            try await SwiftClient.with(scene.host.url) { client in
                let kept = client.keepAlive(request("test", expire: 8, before: [4]))
                let replies = try await tokens(kept, 4)
                #expect(kept.current == replies.last)
                #expect(try await kept.token() == replies.last)
                for (old, new) in zip(replies, replies.dropFirst()) {
                    #expect(new.token != old.token && new.leaseID == old.leaseID)
                    #expect((new.generation ?? 0) > (old.generation ?? 0))
                    #expect(new.expiresAt > old.expiresAt && new.issuedAt < old.expiresAt)
                }
                for finding in try await Verifier.read(replies.map(\.token)) {
                    #expect(finding.signed)
                    #expect(finding.services?.map(\.channelName) == ["test"])
                    #expect(finding.services?.map(\.account) == ["1234"])
                }
                try await kept.end()
            }
            #expect(try requester.notices().allSatisfy { $0.kind != "expired" })
        }
    }

    @Test func severalChannelsAreOneMessageEachTime() async throws {
        try await Scene.withWorker { scene, _ in
            let tap = try await Tap(url: scene.host.url)
            try await SwiftClient.with(scene.host.url) { client in
                let kept = client.keepAlive(["a", "b", "c"].map { request($0, expire: 8, before: [4]) })
                for token in kept { #expect(try await tokens(token, 3).count == 3) }
                try await client.end(kept)
                for token in kept { for await _ in token.updates {} }
            }
            #expect(try tap.bodies(.request).count == 1)
            let renewals = try tap.bodies(.renew)
            #expect(renewals.count >= 2)
            for body in renewals { #expect(body.split(separator: "leaseId").count == 4, "\(body)") }
            #expect(try tap.bodies(.cancel).map { $0.split(separator: "leaseId").count } == [4])
        }
    }

    @Test func renewsAtANoticeAndNotAtOldOnesNorTwice() async throws {
        try await Scene.withWorker { scene, _ in
            let tap = try await Tap(url: scene.host.url)
            let driver = try await Driver(url: scene.host.url)
            func publish(_ kind: NoticeKind, of reply: TokenReply) throws {
                let notice = Notice(
                    kind: kind, leaseID: reply.leaseID ?? "", generation: reply.generation ?? 0,
                    caller: Caller(text: "u-guest"), appID: reply.appID, scope: reply.scope,
                    expiresAt: reply.expiresAt, privileges: [], plannedAt: reply.renewAfter, timeMilliseconds: 0)
                _ = try driver.publish(notice.encode(), to: "agora.notices", key: notice.routingKey, .init())
            }
            try await SwiftClient.with(scene.host.url) { client in
                let kept = client.keepAlive(request("test", expire: 3600, before: [30]))
                let first = try await kept.token()
                // Again and again, as nobody knows when the client begins to hear.
                let second = try await firstAnswer(within: .seconds(30), "a renewal at the notice") {
                    try publish(.willExpire, of: first)
                    try await Task.sleep(for: .milliseconds(100))
                    return kept.current == first ? nil : kept.current
                }
                for kind in [NoticeKind.willExpire, .expired, .cancelled] { try publish(kind, of: first) }
                for _ in 0..<3 { try publish(.willExpire, of: second) }
                try await eventually(within: .seconds(30), "a renewal at the next notice") { kept.current != second }
                let third = try await kept.token()
                #expect((third.generation ?? 0) > (second.generation ?? 0))
                try await kept.end()
            }
            #expect(try tap.bodies(.request).count == 1)
            #expect(try tap.bodies(.renew).count == 2)
        }
    }

    @Test func whereNoNoticesMayBeHeardItsOwnTimesCount() async throws {
        try await Scene.withWorker { scene, _ in
            let tap = try await Tap(url: scene.host.url)
            try await scene.host.withUser("deaf") { user, url in
                try await scene.host.allow(
                    user, configure: "^amq\\.gen-.*$", write: "^(agora\\.tokens|amq\\.gen-.*)$", read: "^amq\\.gen-.*$")
                try await SwiftClient.with(url) { client in
                    let kept = client.keepAlive(request("test", expire: 8, before: [4]))
                    #expect(try await tokens(kept, 3).count == 3)
                    try await kept.end()
                }
            }
            #expect(try tap.bodies(.renew).count >= 1)
        }
    }

    @Test func anEndCancelsTheLeaseAndEndsTheUpdates() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            try await SwiftClient.with(scene.host.url) { client in
                let kept = client.keepAlive(request("test", expire: 3600, before: [30]))
                let leaseID = try #require(try await kept.token().leaseID)
                try await kept.end()
                var last: KeptTokenUpdate?
                for await update in kept.updates { last = update }
                #expect(last == .ended(nil))
                _ = try await requester.notice(within: .seconds(20), "the cancellation") {
                    $0.kind == "cancelled" && $0.data.leaseId == leaseID
                }
                try await kept.end()
                await #expect(throws: ClientError.refused(MessageError(.leaseCancelled, ""))) {
                    do throws(ClientError) {
                        _ = try await client.renew(RenewRequest(.leaseID(leaseID)))
                    } catch {
                        guard case .refused(let reason) = error else { throw error }
                        throw ClientError.refused(MessageError(reason.code, ""))
                    }
                }
            }
        }
    }

    @Test func whatCannotBeKeptEndsWithItsReason() async throws {
        try await Scene.withWorker { scene, _ in
            try await SwiftClient.with(scene.host.url) { client in
                let kept = client.keepAlive([
                    request("räum", expire: 60, before: []), request("test", expire: 8, before: [4]),
                ])
                await #expect {
                    try await kept[0].token()
                } throws: { error in
                    guard case .refused(let reason) = error as? ClientError else { return false }
                    return reason.code == .invalidChannelName
                }
                let lease = try #require(try await kept[1].token().leaseID)
                // Somebody cancels the other one, as a notice says, or the next renewal.
                _ = try await client.cancel(CancelRequest(.leaseID(lease)))
                var last: KeptTokenUpdate?
                for await update in kept[1].updates { last = update }
                guard case .ended(.refused(let reason)?) = last else {
                    throw TestFailure("\(String(describing: last))")
                }
                #expect(reason.code == .leaseCancelled)
            }
        }
    }

    @Test func whatIsLetGoIsKeptNoLonger() async throws {
        try await Scene.withWorker { scene, _ in
            try await SwiftClient.with(scene.host.url) { client in
                var kept: KeptToken? = client.keepAlive(request("test", expire: 3600, before: []))
                _ = try await kept?.token()
                #expect(client.activeKeepers == 1)
                kept = nil
                try await eventually(within: .seconds(10), "its end") { client.activeKeepers == 0 }
            }
        }
    }

    /// Each of its connections has a queue that goes with it.
    @Test func aClientThatIsLetGoLeavesNoConnectionBehind() async throws {
        try await Scene.withWorker { scene, _ in
            func hasQueues() async throws -> Bool {
                let queues = try await scene.host.broker.management.call("GET", ["queues", scene.host.name])
                return String(decoding: queues, as: UTF8.self).contains("amq.gen-")
            }
            let broker = ClientConfiguration(endpoints: [try AMQPURL(parsing: scene.host.url)])
            var client: TokenClient? = TokenClient(broker)
            client?.start()
            var kept = client?.keepAlive(request("test", expire: 3600, before: []))
            _ = try await kept?.token()
            try await eventually(within: .seconds(20), "queues of the client") { try await hasQueues() }
            (kept, client) = (nil, nil)
            try await eventually(within: .seconds(30), "the end of its queues") { try await !hasQueues() }
        }
    }

    @Test func whenTheClientIsClosedEverythingEnds() async throws {
        try await Scene.with { scene in
            try await SwiftClient.with(scene.host.url) { client in
                let kept = client.keepAlive(request("test", expire: 3600, before: []))
                let waiting = Task { try await kept.token() }
                client.close()
                var last: KeptTokenUpdate?
                for await update in kept.updates { last = update }
                #expect(last == .ended(.unavailable("the client is closed")))
                await #expect(throws: ClientError.self) { try await waiting.value }
                let late = client.keepAlive(request("test", expire: 3600, before: []))
                await #expect(throws: ClientError.self) { try await late.token() }
            }
        }
    }
}
