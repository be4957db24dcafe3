// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// The README's permissions are enough for a worker and for a caller, and no more than enough.
@Suite(.timeLimit(.minutes(3)))
struct PermissionTests {
    @Test func enough() async throws {
        try await Scene.withUsers { scene, workerURL, alice, url in
            let worker = try scene.worker(url: workerURL)
            try await worker.becomes(ready: true, within: .seconds(20))
            let requester = try await Requester(url: url, noticesOf: "u-\(alice)")
            let asAlice = DriverProperties(userID: alice)
            let first = try await requester.token(
                #"{"channelName":"test","uid":1,"expire":2,"leaseId":"own"}"#, .request, asAlice)
            let second = try await requester.token(#"{"token":"\#(first.token)","expire":3}"#, .renew, asAlice)
            #expect(second.leaseId == "own")
            _ = try await requester.notice(within: .seconds(20), "the end") { $0.kind == "expired" }
            _ = try await requester.token(#"{"channelName":"test","uid":1,"leaseId":"own"}"#, .request, asAlice)
            #expect(try await requester.ask(#"{"leaseId":"own"}"#, .cancel, asAlice).text.contains("own"))
            // What has no reply queue goes to the dead letters, which the worker may write to and not read.
            _ = try requester.driver.publish([], to: "agora.tokens", key: "request")
            try await eventually(within: .seconds(10), "a dead letter") {
                try await requester.driver.look(at: "agora.tokens.dead").messages == 1
            }
            try await ChildProcess.run(
                TestEnvironment.binary, ["request", "--channel", "test", "--uid", "7"],
                environment: ["AMQP_URL": url])
            #expect(!worker.log.contains("topology_missing") && !worker.log.contains("topology_unchecked"))
            #expect(try await worker.stop() == .code(0))
        }
    }

    @Test func aDurableQueueForNotices() async throws {
        try await Scene.withUsers { scene, workerURL, alice, url in
            let queue = "notices.\(alice)"
            try await ChildProcess.run(
                TestEnvironment.binary, ["topology", "subscribe", "--queue", queue, "--caller", "u-\(alice)"],
                environment: ["AMQP_URL": scene.host.url])
            let worker = try scene.worker(url: workerURL)
            let driver = try await Driver(url: url)
            let replies = try await driver.consumedQueue()
            for user in [alice, nil] {
                _ = try driver.publish(
                    Array(#"{"channelName":"test","uid":1,"expire":1,"notify":{"before":[]}}"#.utf8),
                    to: "agora.tokens", key: "request", .init(replyTo: replies, userID: user))
            }
            try await driver.consume(queue)
            try await eventually(within: .seconds(20), "the notice of somebody else") {
                try await driver.look(at: "agora.notices.unrouted").messages == 1
            }
            let notice = try await firstAnswer(within: .seconds(20), "her own notice") {
                try driver.messages(in: queue).first
            }
            #expect(notice.routingKey == "expired.rtc.u-\(alice)")
            #expect(try driver.messages(in: queue).count == 1)
            #expect(try await worker.stop() == .code(0))
        }
    }

    private enum Attempt: String, CaseIterable {
        case readRequests, readDeadLetters, publishReplies, publishNotices, makeQueues, hearEverybody, hearOthers
        case publishRequests

        func run(_ driver: Driver) async throws {
            switch self {
            case .readRequests: try await driver.consume("agora.tokens.request")
            case .readDeadLetters: try await driver.consume("agora.tokens.dead")
            case .publishReplies: try await publish(driver, "", "amq.gen-somebody")
            case .publishNotices: try await publish(driver, "agora.notices", "expired.rtc.anonymous")
            case .publishRequests: try await publish(driver, "agora.tokens", "request")
            case .makeQueues: try await driver.declare("agora.tokens.more", exclusive: false)
            case .hearEverybody: try await driver.bind(driver.declare(), to: "agora.notices", key: "#")
            case .hearOthers: try await driver.bind(driver.declare(), to: "agora.notices", key: "*.*.u-bob")
            }
        }

        private func publish(_ driver: Driver, _ exchange: String, _ key: String) async throws {
            let ref = try driver.publish([], to: exchange, key: key)
            let refusal = try await firstAnswer(within: .seconds(20), "an outcome") {
                let news = try driver.takeNews()
                return news.closed ?? news.outcomes[ref].map { _ in "" }
            }
            if !refusal.isEmpty { throw TestFailure(refusal) }
        }
    }

    /// What a caller may try at the queues of another, `bob`.
    private enum Trespass: String, CaseIterable {
        case readReplies, readNamedReplies, readNotices, bindReplies, bindNotices, makeReplies, replyInPlace, askInPlace

        func run(_ driver: Driver, brokerNamed: String) async throws {
            switch self {
            case .readReplies: try await driver.consume(brokerNamed)
            case .readNamedReplies: try await driver.consume("reply.bob.1")
            case .readNotices: try await driver.consume("notices.bob")
            // What is bound to a queue of one's own is under the topic permissions; these are queues of others.
            case .bindReplies: try await driver.bind("reply.bob.1", to: "agora.notices", key: "*.*.u-bob")
            case .bindNotices: try await driver.bind("notices.bob", to: "agora.notices", key: "#")
            case .makeReplies: try await driver.declare("reply.bob.2", exclusive: false)
            case .replyInPlace: try await publish(driver, to: "", "reply.bob.1")
            case .askInPlace: try await publish(driver, to: "agora.tokens", "request", userID: "bob")
            }
        }

        private func publish(_ driver: Driver, to exchange: String, _ key: String, userID: String? = nil) async throws {
            let ref = try driver.publish([], to: exchange, key: key, .init(userID: userID))
            let refusal = try await firstAnswer(within: .seconds(20), "an outcome") {
                let news = try driver.takeNews()
                return news.closed ?? news.outcomes[ref].map { _ in "" }
            }
            if !refusal.isEmpty { throw TestFailure(refusal) }
        }
    }

    @Test func theQueuesOfOthersAreClosed() async throws {
        try await Scene.withUsers { scene, _, _, callerURL in
            let bob = try await Driver(url: scene.host.url)
            let brokerNamed = try await bob.declare()
            try await bob.declare("reply.bob.1", exclusive: false)
            try await bob.declare("notices.bob", exclusive: false, durable: true)
            for trespass in Trespass.allCases {
                let driver = try await Driver(url: callerURL)
                await #expect("\(trespass)") {
                    try await trespass.run(driver, brokerNamed: brokerNamed)
                } throws: { error in
                    // No permission; a queue that is exclusive to another connection; a user that is not the sender.
                    ["403", "405", "406"].contains(where: "\(error)".contains)
                }
            }
            #expect(try await bob.look(at: "reply.bob.1").messages == 0)
        }
    }

    /// Without SQLite a worker makes nothing at all.
    @Test func nothingToConfigureWithoutSQLite() async throws {
        let readme = try String(contentsOfFile: TestEnvironment.root + "/README.md", encoding: .utf8)
        try #require(readme.contains("without SQLite the first is `'^$'`"))
        let patterns = try Scene.permissions("worker", readme)
        try await Scene.with { scene in
            try await scene.host.withUser("worker") { name, url in
                try await scene.host.allow(name, configure: "^$", write: patterns[1], read: patterns[2])
                let worker = try WorkerProcess(url: url, database: "none")
                try await worker.becomes(ready: true, within: .seconds(20))
                let requester = try await Requester(url: scene.host.url)
                _ = try await requester.token(#"{"channelName":"test","uid":1}"#)
                #expect(try await worker.stop() == .code(0))
            }
        }
    }

    @Test func noMoreThanEnough() async throws {
        try await Scene.withUsers { _, workerURL, _, callerURL in
            let denied: [(url: String, attempts: [Attempt])] = [
                (callerURL, Attempt.allCases.filter { $0 != .publishRequests }),
                (workerURL, [.readDeadLetters, .makeQueues, .hearEverybody, .publishRequests]),
            ]
            for (url, attempts) in denied {
                for attempt in attempts {
                    let driver = try await Driver(url: url)
                    await #expect("\(attempt)") {
                        try await attempt.run(driver)
                    } throws: { error in
                        "\(error)".contains("403")
                    }
                }
            }
        }
    }
}
