// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing
import TokenClient
import TokenMessages

/// Tokens that the Swift client keeps valid, while its connections, its worker and its broker go and come back.
@Suite(.timeLimit(.minutes(5)))
struct KeepAliveFaultTests {
    private func request(_ channel: String, expire: UInt32) -> TokenRequest {
        var request = TokenRequest(channelName: channel, user: .uid(1234))
        request.expire = expire
        request.notify = .before([expire / 2])
        return request
    }

    /// The next token that comes.
    private func next(
        _ updates: inout AsyncStream<KeptTokenUpdate>.Iterator, failures: inout [ClientError]
    ) async throws -> TokenReply {
        while let update = await updates.next(isolation: #isolation) {
            switch update {
            case .token(let reply): return reply
            case .failed(let error): failures.append(error)
            case .ended(let error): throw TestFailure("it ended: \(String(describing: error))")
            }
        }
        throw TestFailure("there are no more updates")
    }

    private func isValid(_ reply: TokenReply) async throws {
        let finding = try await Verifier.read(reply.token)
        #expect(finding.signed && finding.services?.first?.account == "1234")
    }

    @Test("B19, B20: when the worker is killed for longer than the token lives, a new one is asked for")
    func outlivesTheTokenAndTheWorker() async throws {
        try await Scene.with { scene in
            let worker = try scene.worker()
            try await SwiftClient.with(scene.host.url, timeout: .seconds(2)) { client in
                let kept = client.keepAlive(request("test", expire: 3))
                var updates = kept.updates.makeAsyncIterator()
                var failures: [ClientError] = []
                let first = try await next(&updates, failures: &failures)
                try await worker.kill()
                try await eventually(within: .seconds(30), "the end of the token") { kept.current == nil }
                // What was renewed before the kill may come first; then there is nobody left to answer.
                while failures.isEmpty {
                    guard let update = await updates.next(isolation: #isolation) else { break }
                    if case .failed(let error) = update { failures.append(error) }
                }
                #expect(failures == [.timedOut])
                let successor = try scene.worker()
                let again = try await next(&updates, failures: &failures)
                #expect(again.issuedAt >= first.expiresAt)
                #expect(again.leaseID == first.leaseID)
                #expect((again.generation ?? 0) > (first.generation ?? 0))
                try await isValid(again)
                try await kept.end()
                try await successor.stop()
            }
        }
    }

    @Test("B26: when its connections are closed again and again, renewals go on")
    func outlivesItsConnections() async throws {
        try await Scene.withWorker { scene, _ in
            try await scene.host.withUser("cut") { user, url in
                try await SwiftClient.with(url) { client in
                    let kept = client.keepAlive(request("test", expire: 4))
                    var updates = kept.updates.makeAsyncIterator()
                    var failures: [ClientError] = []
                    var last = try await next(&updates, failures: &failures)
                    for _ in 0..<3 {
                        try await scene.host.broker.management.call("DELETE", ["connections", "username", user])
                        let reply = try await next(&updates, failures: &failures)
                        #expect((reply.generation ?? 0) > (last.generation ?? 0))
                        last = reply
                    }
                    try await isValid(last)
                    try await kept.end()
                }
            }
        }
    }

    @Test func outlivesTheBroker() async throws {
        let broker = try await PrivateBroker()
        try await Scene.with(on: broker.address) { scene in
            let worker = try scene.worker()
            try await SwiftClient.with(scene.host.url, timeout: .seconds(3)) { client in
                let kept = client.keepAlive(["a", "b", "c"].map { request($0, expire: 4) })
                var before: [TokenReply] = []
                for token in kept { before.append(try await token.token()) }
                try await broker.stop()
                try await eventually(within: .seconds(30), "the end of the tokens") {
                    kept.allSatisfy { $0.current == nil }
                }
                try await broker.start()
                for (token, old) in zip(kept, before) {
                    let new = try await firstAnswer(within: .seconds(60), "a token\n\(worker.log.suffix(2000))") {
                        token.current
                    }
                    #expect(new.issuedAt >= old.expiresAt)
                    #expect(new.scope == old.scope)
                    try await isValid(new)
                }
                try await client.end(kept)
            }
            #expect(try await worker.stop() == .code(0))
        }
        try await broker.remove()
    }
}
