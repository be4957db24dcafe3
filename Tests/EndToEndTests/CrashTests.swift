// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import TestSupport
import Testing

/// Nothing that the broker has confirmed is lost, whatever is killed.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct CrashTests {
    private static let count = 1000

    /// A request for a user of its own, whose lease ends soon enough to be waited for.
    private func request(_ number: Int, expire: Int) -> [UInt8] {
        Array(#"{"channelName":"crash","uid":\#(number),"expire":\#(expire),"notify":{"before":[5]}}"#.utf8)
    }

    /// Publishes ``count`` requests and waits until the broker has confirmed all of them.
    private func publish(_ requester: Requester, expire: Int, numbers: Range<Int>) async throws -> Set<String> {
        let sent = try numbers.map { number in
            try requester.send(
                request(number, expire: expire), .request,
                .init(correlationID: "m-\(number)", messageID: "m-\(number)"))
        }
        try await eventually(within: .seconds(60), "all confirms") {
            try sent.allSatisfy { try requester.driver.outcome(of: $0.ref) == .confirmed }
        }
        return Set(sent.map(\.correlation))
    }

    /// The first reply to each request so far.
    private func answers(_ requester: Requester) throws -> [String: Contract.Reply] {
        var all: [String: Contract.Reply] = [:]
        for message in try requester.driver.messages(in: requester.replies) {
            let reply = try message.json(Contract.Reply.self)
            let id = try #require(message.properties.correlationID)
            #expect(all[id] == nil || all[id]?.token == reply.token, "a repeat of \(id) has the same token")
            all[id] = all[id] ?? reply
        }
        return all
    }

    private func awaitAnswers(_ requester: Requester, to confirmed: Set<String>, _ worker: WorkerProcess) async throws {
        try await eventually(within: .seconds(30), "a reply to every confirmed request\n\(worker.log.suffix(2000))") {
            let answered = try requester.driver.messages(in: requester.replies).compactMap(\.properties.correlationID)
            return confirmed.isSubset(of: answered)
        }
    }

    /// The leases for which one of both notices has not come in time.
    private func leasesWithoutNotices(
        _ leases: Set<String>, _ requester: Requester, within limit: Duration
    ) async throws -> Set<String> {
        var missing = leases
        _ = try? await eventually(within: limit, "both notices of every lease") {
            let notices = try requester.notices()
            let complete = ["will_expire", "expired"].map { kind in
                Set(notices.filter { $0.kind == kind }.map(\.data.leaseId))
            }
            missing = leases.filter { lease in !complete.allSatisfy { $0.contains(lease) } }
            return missing.isEmpty
        }
        return missing
    }

    @Test("B36: a worker killed with 1,000 requests outstanding loses neither answers nor notices")
    func killedWorkerLosesNothing() async throws {
        try await Scene.with { scene in
            let requester = try await Requester(url: scene.host.url)
            let first = try scene.worker()
            _ = try await requester.token(#"{"channelName":"warm-up","uid":1,"notify":false}"#)
            // Stopped after its first replies, it gets 1,000 more, and is killed when it has just begun with them.
            let underWay = 250
            let total = Self.count + underWay
            first.signal(SIGSTOP)
            var confirmed = try await publish(requester, expire: 30, numbers: 1..<underWay + 1)
            let before = try requester.driver.messages(in: requester.replies).count
            first.signal(SIGCONT)
            try await eventually(within: .seconds(20), "the first reply") {
                try requester.driver.messages(in: requester.replies).count > before
            }
            first.signal(SIGSTOP)
            confirmed.formUnion(try await publish(requester, expire: 30, numbers: underWay + 1..<total + 1))
            first.signal(SIGCONT)
            try await first.kill()
            let early = try requester.driver.messages(in: requester.replies).count - before

            let second = try scene.worker()
            try await awaitAnswers(requester, to: confirmed, second)
            let replies = try answers(requester).filter { confirmed.contains($0.key) }
            let leases = Set(replies.values.compactMap(\.leaseId))
            #expect(leases.count == total)

            let unannounced = try await leasesWithoutNotices(leases, requester, within: .seconds(60))
            let findings = try await Verifier.read(replies.values.map(\.token))
            #expect(findings.count(where: \.signed) == total)
            let unanswered = confirmed.subtracting(replies.keys)
            let memory = try #require(second.residentBytes)
            print(
                """
                killed worker: \(confirmed.count) confirmed, \(early) answered when it was killed, \
                \(replies.count) in the end; confirmed less answered: \(unanswered.count); \
                leases without both notices: \(unannounced.count) of \(leases.count); \(memory >> 20) MB
                """)
            #expect(memory < 60 << 20)
            #expect(unannounced.isEmpty)
            #expect(unanswered.isEmpty)
            #expect(early < total, "the worker was killed with requests outstanding")
            #expect(try await second.stop() == .code(0))
        }
    }

    /// Replies that the broker never got are given by the next worker: no request is acknowledged for having been read.
    @Test func lostRepliesAreGivenAgain() async throws {
        try await Scene.with { scene in
            let proxy = try HoldingProxy(to: scene.host.url, holding: .publisher)
            let requester = try await Requester(url: scene.host.url)
            let first = try scene.worker(url: try await proxy.url())
            _ = try await requester.token(#"{"channelName":"warm-up","uid":1,"notify":false}"#)
            try await proxy.hold()
            let confirmed = try await publish(requester, expire: 600, numbers: 1..<101)
            try await eventually(within: .seconds(20), "100 tokens issued\n\(first.log.suffix(2000))") {
                first.log.split(separator: "\n").count { $0.contains("token.issued") } == 101
            }
            // Nothing tells that no acknowledgement comes; a wrong one gets this long to arrive.
            try await Task.sleep(for: .milliseconds(500))
            #expect(try answers(requester).count == 1, "no reply passes the proxy")
            try await first.kill()

            let second = try scene.worker()
            try await awaitAnswers(requester, to: confirmed, second)
            #expect(try await second.stop() == .code(0))
        }
    }

    @Test("Report29, B42: SIGTERM under load loses nothing") func stopUnderLoad() async throws {
        try await Scene.with { scene in
            let requester = try await Requester(url: scene.host.url)
            let first = try scene.worker()
            _ = try await requester.token(#"{"channelName":"warm-up","uid":1,"notify":false}"#)
            var confirmed: Set<String> = []
            async let ended = {
                try await Task.sleep(for: .milliseconds(300))
                return try await first.stop()
            }()
            for batch in 0..<10 {
                confirmed.formUnion(
                    try await publish(requester, expire: 600, numbers: batch * 300 + 1..<batch * 300 + 301))
            }
            let exit = try await ended
            #expect(exit == .code(0), "\(first.log.suffix(2000))")
            let early = try answers(requester).count

            let second = try scene.worker()
            try await awaitAnswers(requester, to: confirmed, second)
            let lost = try confirmed.subtracting(answers(requester).keys)
            print(
                "stop under load: \(confirmed.count) confirmed, \(early) answered by the first worker, \(lost.count) lost"
            )
            #expect(lost.isEmpty)
            #expect(try await second.stop() == .code(0))
        }
    }

    @Test("Report13: after the broker was killed the worker consumes again by itself")
    func killedBroker() async throws {
        let broker = try await PrivateBroker()
        try await Scene.with(on: broker.address) { scene in
            let worker = try scene.worker()
            let before = try await Requester(url: scene.host.url)
            let lease = try await before.token(
                #"{"channelName":"test","uid":1,"expire":20,"notify":{"before":[]},"leaseId":"kept"}"#)

            try await broker.kill()
            try await broker.start()
            let clock = ContinuousClock()
            let accepting = clock.now
            let after = try await Requester(url: scene.host.url)
            _ = try await after.token(#"{"channelName":"test","uid":2}"#, within: .seconds(15))
            let outage = clock.now - accepting
            print("killed broker: consuming again \(outage) after it accepted")
            #expect(outage < .seconds(10), "\(worker.log.suffix(2000))")

            // A lease from before the outage still has its end told.
            let end = try await after.notice(within: .seconds(60), "expired") { $0.data.leaseId == "kept" }
            #expect(end.kind == "expired" && end.data.generation == lease.generation)

            // Without a broker a worker stops in order all the same, and one that starts waits for the broker.
            try await broker.kill()
            #expect(try await worker.stop() == .code(0), "\(worker.log.suffix(2000))")
            let next = try scene.worker()
            try await broker.start()
            let later = try await Requester(url: scene.host.url)
            _ = try await later.token(#"{"channelName":"test","uid":3}"#)
            #expect(try await next.stop() == .code(0), "\(next.log.suffix(2000))")
        }
        try await broker.remove()
    }
}
