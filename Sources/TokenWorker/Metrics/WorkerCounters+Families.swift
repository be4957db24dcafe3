// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

extension WorkerCounters {
    /// The counts as metrics.
    ///
    /// - Parameter names: the names of the queues, which are labels.
    /// - Returns: a family for each count.
    func families(_ names: Names) -> [MetricFamily] {
        [
            requests, deadLetters, renewals, processDuration, queueWait, noticeCounts, noticeLateness,
            MetricFamily(
                "agora_token_replies_undeliverable_total", .counter, "Replies that were given up: nobody took them.",
                Double(undeliverable)),
            commitDuration, brokerConnections,
        ] + messaging(names)
    }

    private var requests: MetricFamily {
        var family = MetricFamily(
            "agora_token_requests_total", .counter, "Messages and items of batches, by what they came to.")
        let samples = outcomes.entries.map { entry in
            MetricFamily.Sample(
                labels: [
                    MetricLabel("kind", entry.label.kind.rawValue),
                    MetricLabel("service", entry.label.service?.rawValue ?? "unknown"),
                    MetricLabel("outcome", entry.label.outcome),
                    MetricLabel("code", entry.label.code?.rawValue ?? "none"),
                ], value: Double(entry.count))
        }
        family.samples = samples.sorted(by: MetricFamily.Sample.precedes)
        return family
    }

    private var deadLetters: MetricFamily {
        var family = MetricFamily(
            "agora_token_dead_letters_total", .counter, "Messages that nobody could be answered for, by reason.")
        var reasons = Tally<ErrorCode>()
        for entry in outcomes.entries where entry.label.isDead {
            if let code = entry.label.code { reasons.add(code, entry.count) }
        }
        for entry in reasons.entries.sorted(by: { $0.label.rawValue < $1.label.rawValue }) {
            family.add([MetricLabel("reason", entry.label.rawValue)], Double(entry.count))
        }
        return family
    }

    private var renewals: MetricFamily {
        var family = MetricFamily(
            "agora_token_renewals_total", .counter, "Renewals that messages or plans asked for, by outcome.")
        let asked = outcomes.entries.filter { $0.label.kind == .renew }
        func count(_ fits: (RequestOutcome) -> Bool) -> Double {
            Double(asked.reduce(0) { fits($1.label) ? $0 + $1.count : $0 })
        }
        family.add(outcome: "renewed", by: "message", count { $0.code == nil })
        family.add(outcome: "refused", by: "message", count { $0.code != nil })
        family.add(outcome: "renewed", by: "plan", Double(planned[.renewed]))
        family.add(outcome: "postponed", by: "plan", Double(planned[.postponed]))
        return family
    }

    private var processDuration: MetricFamily {
        var family = MetricFamily(
            "agora_token_process_duration_seconds", .histogram,
            "Time from taking a message up, with its batch, to handing its reply to the publishing connection.")
        for (kind, histogram) in zip(Issuer.queues, processing) {
            family.add([MetricLabel("kind", kind.rawValue)], histogram)
        }
        return family
    }

    private var queueWait: MetricFamily {
        var family = MetricFamily(
            "agora_token_queue_wait_seconds", .histogram,
            "Time from a message's timestamp to its being taken up; messages without a timestamp are not in it.")
        family.add([], waits)
        return family
    }

    private var noticeCounts: MetricFamily {
        var family = MetricFamily("agora_token_notices_total", .counter, "Notices, by what became of them.")
        let samples = notices.entries.map { entry in
            MetricFamily.Sample(
                labels: [
                    MetricLabel("kind", entry.label.kind?.rawValue ?? "any"),
                    MetricLabel("outcome", entry.label.result.rawValue),
                ], value: Double(entry.count))
        }
        family.samples = samples.sorted(by: MetricFamily.Sample.precedes)
        return family
    }

    private var noticeLateness: MetricFamily {
        var family = MetricFamily(
            "agora_token_notice_lateness_seconds", .histogram, "How far behind their plan notices were sent.")
        family.add([], lateness)
        return family
    }

    private var commitDuration: MetricFamily {
        var family = MetricFamily(
            "agora_token_store_commit_duration_seconds", .histogram, "Time of the transactions that answer messages.")
        family.add([], commits)
        return family
    }

    private var brokerConnections: MetricFamily {
        var family = MetricFamily(
            "agora_token_broker_connections_total", .counter, "Connections to the broker that came about.")
        for connection in Connection.allCases {
            family.add([MetricLabel("connection", connection.rawValue)], Double(connections[connection]))
        }
        return family
    }

    /// The same work under the names that OpenTelemetry gives to any messaging.
    private func messaging(_ names: Names) -> [MetricFamily] {
        let system = MetricLabel("messaging_system", "rabbitmq")
        var taken = MetricFamily(
            "messaging_client_consumed_messages_total", .counter, "Messages that were delivered to the application.")
        var processed = MetricFamily(
            "messaging_process_duration_seconds", .histogram, "Duration of processing operation.")
        for (index, kind) in Issuer.queues.enumerated() {
            let queue = MetricLabel("messaging_destination_name", names.queue(kind))
            taken.add(
                [system, MetricLabel("messaging_operation_name", "consume"), queue], Double(consumed[index]))
            processed.add([system, MetricLabel("messaging_operation_name", "process"), queue], processing[index])
        }
        var published = MetricFamily(
            "messaging_client_sent_messages_total", .counter,
            "Messages that were published, and by error_type what went wrong with them, if anything did.")
        for result in Sent.allCases {
            published.add(
                [
                    system, MetricLabel("messaging_operation_name", "publish"),
                    MetricLabel("error_type", result == .confirmed ? "" : result.rawValue),
                ], Double(sent[result]))
        }
        return [taken, processed, published]
    }
}

extension MetricFamily {
    fileprivate mutating func add(outcome: String, by: String, _ value: Double) {
        add([MetricLabel("outcome", outcome), MetricLabel("by", by)], value)
    }
}

extension MetricFamily.Sample {
    /// An order that does not depend on what came first.
    fileprivate static func precedes(_ a: Self, _ b: Self) -> Bool {
        a.labels.lexicographicallyPrecedes(b.labels) { $0.value < $1.value }
    }
}
