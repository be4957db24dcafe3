// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import TokenMessages

/// Asks the parts of a worker how they are.
struct WorkerHealth: Sendable {
    let consumer: ConsumerConnection
    let publisher: PublisherConnection
    let scheduler: Scheduler?
    let audit: AuditTrail?
    let vitals: Vitals
    let metrics: WorkerMetrics
    let desk: ReplyDesk
    /// Counts the leases; `nil` without a store.
    let census: CensusTaker?
    let names: Names

    /// How everything is right now.
    var readiness: Readiness {
        var readiness = Readiness(intake: consumer.state, publisher: publisher.state)
        vitals.complete(&readiness)
        readiness.auditFault = audit.map(\.fault)
        if let scheduler { readiness.silences.append(.init(thread: "scheduler", duration: scheduler.silence)) }
        return readiness
    }

    /// The worker's pages.
    func page(_ path: String) -> HTTPAnswer? {
        switch path {
        case "/livez": readiness.health.liveAnswer
        case "/readyz": readiness.health.readyAnswer
        case "/metrics": HTTPAnswer(metrics: families)
        default: nil
        }
    }

    /// Everything that there is to measure.
    private var families: [MetricFamily] {
        let pending = MetricFamily(
            "agora_token_replies_pending", .gauge, "Replies and dead letters that wait for the broker's word.",
            Double(desk.count))
        return [.build, pending] + readiness.families(hasStore: census != nil) + (publisher.broker?.families ?? [])
            + metrics.counters.families(names) + (census?.census?.families ?? []) + MetricFamily.process
    }
}
