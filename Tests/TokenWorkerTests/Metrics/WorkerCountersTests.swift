// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import LeaseStore
import Testing
import TokenMessages

@testable import TokenWorker

/// The counters of a worker, and the names under which they are shown.
@Suite struct WorkerCountersTests {
    private func text(_ counters: WorkerCounters) -> [String] {
        String(decoding: MetricsText.encode(counters.families(.standard)), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    private func notice(_ kind: NoticeKind, plannedAt: UInt32, sentAt: Int64) -> Notice {
        Notice(
            kind: kind, leaseID: "l", generation: 1, caller: Caller(userID: "alice", appID: nil), appID: Bench.appID,
            scope: TokenScope(service: .rtc, channelName: "test", user: .uid(1)), expiresAt: 2000, privileges: [],
            plannedAt: plannedAt,
            timeMilliseconds: sentAt)
    }

    @Test func whatWasAnsweredIsShown() throws {
        var counters = WorkerCounters()
        let bench = try Bench()
        let good = #"{"channelName":"test","uid":1}"#
        let batch = [
            Bench.delivery(good, number: 1) { $0.timestamp = 1_789_999_998 }, Bench.delivery(good, number: 2),
            Bench.delivery("[]", number: 3), Bench.delivery(good, number: 4, replyTo: nil),
        ]
        counters.add(try bench.tally(batch), took: .milliseconds(2))
        counters.add(try bench.tally(batch), took: .milliseconds(20))
        let lines = text(counters)
        for line in [
            #"agora_token_requests_total{kind="request",service="rtc",outcome="ok",code="none"} 4"#,
            #"agora_token_requests_total{kind="request",service="unknown",outcome="error",code="malformed_json"} 2"#,
            #"agora_token_dead_letters_total{reason="missing_reply_to"} 2"#,
            #"agora_token_dead_letters_total{reason="delivery_limit"} 0"#,
            #"agora_token_process_duration_seconds_bucket{kind="request",le="0.0025"} 4"#,
            #"agora_token_process_duration_seconds_bucket{kind="request",le="0.025"} 8"#,
            #"agora_token_process_duration_seconds_count{kind="renew"} 0"#,
            #"agora_token_queue_wait_seconds_bucket{le="1"} 0"#, #"agora_token_queue_wait_seconds_bucket{le="2"} 2"#,
            "messaging_client_consumed_messages_total{messaging_system=\"rabbitmq\",messaging_operation_name=\"consume\","
                + "messaging_destination_name=\"agora.tokens.request\"} 8",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func renewalsByMessageAndByPlan() throws {
        let database = try TemporaryDatabase()
        let bench = try Bench(store: database.database.open())
        let token = try bench.token(for: Bench.delivery(#"{"channelName":"test","uid":1}"#)).token
        var counters = WorkerCounters()
        counters.add(
            try bench.tally([
                Bench.delivery(.renew, #"{"token":"\#(token)"}"#, number: 1), Bench.delivery(.renew, "{}", number: 2),
            ]), took: .milliseconds(1))
        counters.add(.renewed([]))
        let lines = text(counters)
        #expect(lines.contains(#"agora_token_renewals_total{outcome="renewed",by="message"} 1"#))
        #expect(lines.contains(#"agora_token_renewals_total{outcome="refused",by="message"} 1"#))
        #expect(lines.contains(#"agora_token_renewals_total{outcome="renewed",by="plan"} 0"#))
    }

    @Test func notices() {
        var counters = WorkerCounters()
        counters.add(.published([notice(.willExpire, plannedAt: 1970, sentAt: 1_970_000)]))
        counters.add(
            .published([
                notice(.expired, plannedAt: 2000, sentAt: 2_000_000),
                notice(.expired, plannedAt: 2000, sentAt: 2_007_000),
            ]))
        counters.add(.failed(3))
        counters.add(.unsendable(notice(.cancelled, plannedAt: 1, sentAt: 1000), reason: "x"))
        counters.add(.poisonous(notice(.cancelled, plannedAt: 1, sentAt: 1000)))
        counters.addFailedRenewals(2)
        counters.addFailedRenewals(0)
        let lines = text(counters)
        for line in [
            #"agora_token_notices_total{kind="will_expire",outcome="published"} 1"#,
            #"agora_token_notices_total{kind="expired",outcome="published"} 2"#,
            #"agora_token_notices_total{kind="renewal_failed",outcome="published"} 2"#,
            #"agora_token_notices_total{kind="any",outcome="failed"} 3"#,
            #"agora_token_notices_total{kind="cancelled",outcome="unsendable"} 1"#,
            #"agora_token_notices_total{kind="cancelled",outcome="passed_over"} 1"#,
            #"agora_token_notice_lateness_seconds_bucket{le="0.05"} 2"#,
            #"agora_token_notice_lateness_seconds_bucket{le="5"} 2"#,
            #"agora_token_notice_lateness_seconds_bucket{le="10"} 3"#, "agora_token_notice_lateness_seconds_sum 7",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func connectionsAreCountedOnceEach() {
        var counters = WorkerCounters()
        let lost = ConnectionState.unreachable(AMQPError(.unreachable, "x"), retryAfter: .zero)
        for state in [.connecting(attempt: 1), .incomplete([]), .ready, .blocked("memory"), .suspended, lost, .ready] {
            counters.note(state, of: .intake)
        }
        counters.note(.connecting(attempt: 1), of: .publisher)
        let lines = text(counters)
        #expect(lines.contains(#"agora_token_broker_connections_total{connection="intake"} 2"#))
        #expect(lines.contains(#"agora_token_broker_connections_total{connection="publisher"} 0"#))
    }

    @Test func whatTheBrokerSaidOfPublications() {
        var counters = WorkerCounters()
        let results: [PublishOutcome.Result] = [
            .confirmed, .confirmed, .nacked, .invalid("x"), .lost(AMQPError(.closed, "x")),
        ]
        counters.add(results.enumerated().map { PublishOutcome(id: UInt64($0.offset), result: $0.element) })
        counters.addUndeliverable(4)
        let lines = text(counters)
        let labels = #"{messaging_system="rabbitmq",messaging_operation_name="publish",error_type="#
        #expect(lines.contains("messaging_client_sent_messages_total\(labels)\"\"} 2"))
        #expect(lines.contains("messaging_client_sent_messages_total\(labels)\"nacked\"} 1"))
        #expect(lines.contains("messaging_client_sent_messages_total\(labels)\"lost\"} 1"))
        #expect(lines.contains("agora_token_replies_undeliverable_total 4"))
    }
}
