// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import TokenWorker

/// Whether a server knows of its own thread that it moves.
@Suite(.timeLimit(.minutes(2))) struct HTTPSilenceTests {
    /// Keeps the server's thread until it is let go.
    private final class Blocking: HTTPService {
        private let isHeld = Mutex(true)
        private let hasBegun = Mutex(false)

        func answer(_ request: HTTPRequest, _ reply: @escaping @Sendable (HTTPAnswer) -> Void) {
            hasBegun.withLock { $0 = true }
            while isHeld.withLock({ $0 }) { usleep(10_000) }
            reply(HTTPAnswer(status: 200, lines: ["at last"]))
        }

        var isAtWork: Bool { hasBegun.withLock { $0 } }
        func letGo() { isHeld.withLock { $0 = false } }
    }

    private func start(_ service: any HTTPService, knockAfter: Duration?) throws -> HTTPServer {
        try HTTPServer(
            ListeningSocket(host: "127.0.0.1", port: 0), host: "127.0.0.1",
            limits: HTTPLimits(knockAfter: knockAfter), service: service)
    }

    private func until(_ holds: () -> Bool) async throws {
        while !holds() { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test func aServerThatNobodyAsksMovesAllTheSame() async throws {
        let server = try start(Blocking(), knockAfter: .milliseconds(100))
        for _ in 0..<2 {
            var last = server.silence
            try await until {
                defer { last = server.silence }
                return server.silence < last
            }
        }
    }

    @Test func withoutKnocksNothingMovesIt() async throws {
        let server = try start(Blocking(), knockAfter: nil)
        try await until { server.silence > .seconds(3) }
    }

    @Test func aThreadThatIsHeldIsSilentUntilItIsLetGo() async throws {
        let service = Blocking()
        let server = try start(service, knockAfter: .milliseconds(100))
        let url = try #require(URL(string: "http://\(server.address)/"))
        let answer = Task { try await URLSession.shared.data(from: url).1 as? HTTPURLResponse }
        try await until { service.isAtWork }
        try await until { server.silence > .seconds(5) }
        let held = server.silence
        service.letGo()
        #expect(try await answer.value?.statusCode == 200)
        try await until { server.silence < held }
    }

    @Test func healthCountsTheSilence() {
        func health(_ seconds: Int) -> ServiceHealth {
            ServiceHealth(
                [.init(name: "requests", fault: nil)], silences: [.init(thread: "http", duration: .seconds(seconds))])
        }
        #expect(health(10).isReady && health(10).isAlive)
        #expect(!health(11).isReady && health(11).isAlive)
        #expect(!health(61).isAlive)
        #expect(String(decoding: health(61).liveAnswer.body, as: UTF8.self) == "stuck\nhttp: has not moved for 61 s\n")
    }
}
