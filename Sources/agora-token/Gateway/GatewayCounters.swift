// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages
import TokenWorker

/// Everything that a gateway counts of its requests, since it started.
struct GatewayCounters: Sendable {
    /// What tells requests apart; both come from closed sets.
    struct Label: Sendable, Hashable {
        let path: GatewayPath
        /// The code in the body of a refusal.
        var code: String?
    }

    private var requests = Tally(Self.expected)
    private var durations = Array(repeating: Histogram.processing, count: GatewayPath.allCases.count)

    /// What is there from the start with a count of zero.
    private static var expected: [Label] {
        let codes = [ErrorCode.rateLimited.rawValue, ErrorCode.internal.rawValue, "broker_unavailable", "no_worker"]
        return GatewayPath.allCases.map { Label(path: $0) } + codes.map { Label(path: .token, code: $0) }
    }

    /// Counts an answer that took `duration`.
    mutating func add(_ label: Label, took duration: Duration) {
        requests.add(label)
        guard let index = GatewayPath.allCases.firstIndex(of: label.path) else { return }
        let (seconds, attoseconds) = duration.components
        durations[index].observe(Double(seconds) + Double(attoseconds) / 1e18)
    }

    /// The counts as metrics.
    var families: [MetricFamily] {
        var count = MetricFamily(
            "agora_token_gateway_requests_total", .counter, "HTTP requests, by path and the code of their refusal.")
        let samples = requests.entries.map { ($0.label.path.name, $0.label.code ?? "none", $0.count) }
        for (path, code, value) in samples.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
            count.add([MetricLabel("path", path), MetricLabel("code", code)], Double(value))
        }
        var duration = MetricFamily(
            "agora_token_gateway_request_duration_seconds", .histogram,
            "Time from reading the head of an HTTP request to having its answer.")
        for (path, histogram) in zip(GatewayPath.allCases, durations) {
            duration.add([MetricLabel("path", path.name)], histogram)
        }
        return [count, duration]
    }
}
