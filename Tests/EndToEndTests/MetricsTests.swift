// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// `/metrics` of a worker at work.
@Suite(.timeLimit(.minutes(3)))
struct MetricsTests {
    /// A page of metrics, by series.
    private func series(_ worker: WorkerProcess) async throws -> [String: Double] {
        let page = try await worker.page("/metrics")
        guard page.status == 200 else { throw TestFailure("/metrics answers \(page.status)") }
        var series: [String: Double] = [:]
        for line in page.body.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { throw TestFailure("no value: \(line)") }
            series[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        return series
    }

    /// Waits until series have these values.
    private func becomes(_ worker: WorkerProcess, _ expected: [String: Double], _ what: String) async throws {
        var last: [String: Double] = [:]
        do {
            try await eventually(within: .seconds(30), what) {
                last = try await series(worker)
                return expected.allSatisfy { last[$0.key] == $0.value }
            }
        } catch {
            var differences = ""
            for (name, value) in expected where last[name] != value {
                differences += "\n\(name): \(last[name].map { "\($0)" } ?? "none") instead of \(value)"
            }
            throw TestFailure("\(error)\(differences)")
        }
    }

    @Test func everythingThatHappensIsCounted() async throws {
        try await Scene.withWorker { scene, worker in
            let requester = try await Requester(url: scene.host.url)
            let old = Int(Date().timeIntervalSince1970) - 100
            _ = try await requester.token(#"{"channelName":"test","uid":1,"expire":4,"notify":{"before":[2]}}"#)
            let kept = try await requester.token(
                #"{"channelName":"test","uid":2,"expire":7200}"#, .request, .init(timestamp: old))
            _ = try await requester.token(#"{"token":"\#(kept.token)"}"#, .renew)
            _ = try await requester.token(#"{"service":"rtm","userId":"u","expire":86400}"#)
            _ = try await requester.error(#"{"channelName":"test","uid":"1"}"#)
            _ = try requester.driver.publish(
                Array(#"{"channelName":"test","uid":1}"#.utf8), to: "agora.tokens", key: "request", .init())
            let nobody = DriverProperties(replyTo: "reply.nobody-\(UUID().uuidString)")
            _ = try requester.send(#"{"channelName":"test","uid":3}"#, .request, nobody)
            _ = try await requester.notice(within: .seconds(20), "expired") { $0.kind == "expired" }
            try await becomes(
                worker,
                [
                    #"agora_token_requests_total{kind="request",service="rtc",outcome="ok",code="none"}"#: 3,
                    #"agora_token_requests_total{kind="request",service="rtm",outcome="ok",code="none"}"#: 1,
                    #"agora_token_requests_total{kind="renew",service="rtc",outcome="ok",code="none"}"#: 1,
                    #"agora_token_requests_total{kind="request",service="unknown",outcome="error",code="invalid_uid"}"#:
                        1,
                    #"agora_token_dead_letters_total{reason="missing_reply_to"}"#: 1,
                    #"agora_token_renewals_total{outcome="renewed",by="message"}"#: 1,
                    #"agora_token_process_duration_seconds_count{kind="request"}"#: 6,
                    #"agora_token_queue_wait_seconds_bucket{le="60"}"#: 0,
                    #"agora_token_queue_wait_seconds_bucket{le="300"}"#: 1,
                    #"agora_token_notices_total{kind="will_expire",outcome="published"}"#: 1,
                    #"agora_token_notices_total{kind="expired",outcome="published"}"#: 1,
                    #"agora_token_notices_total{kind="renewed",outcome="published"}"#: 1,
                    "agora_token_notice_lateness_seconds_count": 3, "agora_token_replies_undeliverable_total": 1,
                    "agora_token_ready": 1, "agora_token_store_up": 1, "agora_token_replies_pending": 0,
                    #"agora_token_broker_connected{connection="intake"}"#: 1,
                    #"agora_token_broker_blocked{connection="publisher"}"#: 0,
                    #"agora_token_broker_connections_total{connection="publisher"}"#: 1,
                    #"agora_token_build_info{version="0.1.0"}"#: 1,
                    #"agora_token_leases{state="live"}"#: 2,
                    #"agora_token_leases_due{within="6h"}"#: 1, #"agora_token_leases_due{within="24h"}"#: 2,
                ], "the counts")
            let all = try await series(worker)
            #expect(try #require(all["agora_token_store_commit_duration_seconds_count"]) >= 4)
            #expect(try #require(all["process_resident_memory_bytes"]) > 1e6)
            #expect(try #require(all["process_cpu_seconds_total"]) > 0)
            // Labels come from closed sets: nothing that a caller chose is one.
            #expect(!all.keys.contains { $0.contains("reply.nobody") || $0.contains("test") || $0.contains("007") })
        }
    }

    @Test("B45: however many channels, users, callers and reply queues there are, the series stay the same")
    func labelsAreClosed() async throws {
        try await Scene.withWorker { scene, worker in
            let requester = try await Requester(url: scene.host.url)
            func send(_ number: Int) throws {
                let own = #"{"channelName":"c\#(number)","uid":\#(number),"leaseId":"own\#(number)","expire":60}"#
                _ = try requester.send(own, .request, .init(correlationID: "id\(number)", appID: "app\(number)"))
                _ = try requester.send(#"{"channel\#(number)":1}"#, .request, .init(messageID: "m\(number)"))
                let nobody = DriverProperties(replyTo: "reply.nobody\(number)")
                _ = try requester.send(#"{"channelName":"c","uid":1}"#, .request, nobody)
            }
            let issued = #"agora_token_requests_total{kind="request",service="rtc",outcome="ok",code="none"}"#
            try send(1)
            try await becomes(worker, [issued: 2, "agora_token_replies_undeliverable_total": 1], "the first counts")
            let before = Set(try await series(worker).keys)
            for number in 2...200 { try send(number) }
            try await becomes(worker, [issued: 400, "agora_token_replies_undeliverable_total": 200], "all counts")
            #expect(Set(try await series(worker).keys) == before)
        }
    }

    @Test func aWorkerWithoutLeases() async throws {
        try await Scene.with { scene in
            let worker = try WorkerProcess(url: scene.host.url, database: "none")
            try await worker.becomes(ready: true, within: .seconds(20))
            let series = try await series(worker)
            #expect(series["agora_token_ready"] == 1)
            for name in ["agora_token_leases", "agora_token_store_up"] {
                #expect(!series.keys.contains { $0.hasPrefix(name) }, "\(name)")
            }
            #expect(try await worker.stop() == .code(0))
        }
    }

    @Test func everyWorkerOfADatabaseCountsTheSameLeases() async throws {
        let database = try await PrivatePostgres()
        try await database.migrate()
        try await Scene.with { scene in
            let workers = try (0..<2).map { _ in try WorkerProcess(url: scene.host.url, database: database.url) }
            for worker in workers { try await worker.becomes(ready: true, within: .seconds(30)) }
            let requester = try await Requester(url: scene.host.url)
            for user in 1...20 {
                _ = try await requester.token(#"{"channelName":"test","uid":\#(user),"expire":7200}"#)
            }
            let leases = [
                #"agora_token_leases{state="live"}"#: 20.0, #"agora_token_leases_due{within="1h"}"#: 0,
                #"agora_token_leases_due{within="6h"}"#: 20, "agora_token_store_up": 1,
            ]
            for worker in workers { try await becomes(worker, leases, "20 leases") }
            try await database.stop()
            for worker in workers {
                try await becomes(worker, ["agora_token_store_up": 0, "agora_token_ready": 0], "a store that is away")
                try await worker.kill()
            }
        }
        try await database.remove()
    }
}
