// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// The commands that look into the store, beside a worker that serves from it.
@Suite(.timeLimit(.minutes(3)))
struct LeaseCommandTests {
    private struct Listed: Decodable {
        struct Step: Decodable {
            let kind: String
            let plannedAt: Int
        }
        let leaseId: String
        let key: String
        let caller: String
        let generation: Int
        let expiresAt: Int
        let cancelled: Bool
        let uid: Int?
        let steps: [Step]?
    }

    private struct Forecast: Decodable {
        struct Minute: Decodable {
            let startsAt: Int
            let expiries: Int
        }
        let total: Int
        let minutes: [Minute]
    }

    private func run(_ scene: Scene, _ arguments: [String]) async throws -> String {
        try await ChildProcess.run(
            TestEnvironment.binary, arguments, environment: ["DATABASE_URL": scene.database])
    }

    private func lines<Value: Decodable>(_ text: String) throws -> [Value] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }

    @Test func whatIsThereIsListedShownAndForecast() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            var replies: [Contract.Reply] = []
            for user in 1...5 {
                let name = user == 1 ? #","leaseId":"call-1""# : ""
                replies.append(
                    try await requester.token(#"{"channelName":"test","uid":\#(user),"expire":600\#(name)}"#))
            }
            let all: [Listed] = try lines(try await run(scene, ["lease", "list", "--json"]))
            #expect(Set(all.map(\.leaseId)) == Set(replies.compactMap(\.leaseId)))
            #expect(all.map(\.key) == all.map(\.key).sorted())
            let first: [Listed] = try lines(try await run(scene, ["lease", "list", "--json", "--limit", "2"]))
            let rest: [Listed] = try lines(
                try await run(scene, ["lease", "list", "--json", "--after", try #require(first.last?.key)]))
            #expect(first.map(\.key) + rest.map(\.key) == all.map(\.key))
            #expect(try await run(scene, ["lease", "list", "--caller", "u-nobody"]) == "")

            let shown: [Listed] = try lines(
                try await run(scene, ["lease", "show", "call-1", "--caller", "anonymous", "--json"]))
            #expect(shown.map(\.generation) == [replies[0].generation] && shown.map(\.uid) == [1])
            #expect(shown[0].steps?.map(\.kind) == ["will_expire", "expired"])
            #expect(shown[0].steps?.map(\.plannedAt) == [replies[0].expiresAt - 30, replies[0].expiresAt])
            let text = try await run(scene, ["lease", "show", try #require(replies[1].leaseId)])
            #expect(text.contains("will_expire") && !text.contains("007eJ"))
            // Neither is a secret, though both look like one.
            #expect(text.contains(try #require(replies[1].leaseId)) && text.contains(WorkerProcess.appID))

            let forecasts: [Forecast] = try lines(try await run(scene, ["forecast", "--json", "--hours", "1"]))
            #expect(forecasts[0].total == 5)
            for minute in forecasts[0].minutes {
                let ending = replies.count { $0.expiresAt / 60 * 60 == minute.startsAt }
                #expect(minute.expiries == ending)
            }
            #expect(try await run(scene, ["forecast"]).contains("EXPIRIES"))
        }
    }

    @Test func aLeaseThatIsCancelledHereIsTold() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let reply = try await requester.token(#"{"channelName":"test","uid":1,"expire":600}"#)
            let lease = try #require(reply.leaseId)
            let cancelled: [Listed] = try lines(try await run(scene, ["lease", "cancel", lease, "--json"]))
            #expect(cancelled.map(\.cancelled) == [true])
            let notice = try await requester.notice(within: .seconds(20), "cancelled") { $0.kind == "cancelled" }
            #expect(notice.data.leaseId == lease && notice.data.generation == cancelled[0].generation)
            let refusal = try await requester.error(#"{"token":"\#(reply.token)"}"#, .renew)
            #expect(refusal.code == "lease_cancelled")
            #expect(try await run(scene, ["lease", "list"]) == "")
            #expect(try await run(scene, ["lease", "list", "--cancelled"]).contains("cancelled"))
            #expect(try await run(scene, ["lease", "cancel", lease]).contains("before"))
        }
    }

    @Test func whatIsNotThereIsSaid() async throws {
        try await Scene.withWorker { scene, _ in
            // The worker makes its file with the first message at the latest.
            _ = try await Requester(url: scene.host.url).token(#"{"channelName":"test","uid":1}"#)
            let unknown = "l-" + String(repeating: "0", count: 32)
            for (arguments, database, code) in [
                (["lease", "show", unknown], scene.database, 1), (["lease", "cancel", unknown], scene.database, 1),
                (["lease", "show", "call-1"], scene.database, 2), (["forecast", "--hours", "25"], scene.database, 2),
                (["lease", "list"], "sqlite:/nonexistent/leases.db", 3), (["lease", "list"], "none", 3),
                (["forecast"], "postgres://agora@127.0.0.1:9/postgres", 4),
            ] as [([String], String, Int32)] {
                let child = try ChildProcess(
                    TestEnvironment.binary, arguments, environment: ["DATABASE_URL": database])
                #expect(try await child.wait(within: .seconds(20)) == .code(code), "\(arguments) \(child.errorText)")
                #expect(!child.errorText.isEmpty)
            }
        }
    }
}
