// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore

extension LeaseCensus {
    /// The leases as metrics.
    var families: [MetricFamily] {
        var states = MetricFamily(
            "agora_token_leases", .gauge,
            "Leases in the store, the same at each of its workers; estimated from a sample where there are many.")
        states.add([MetricLabel("state", "live")], live)
        states.add([MetricLabel("state", "ended")], ended)
        states.add([MetricLabel("state", "cancelled")], cancelled)
        var due = MetricFamily(
            "agora_token_leases_due", .gauge, "Live leases that end within a time unless they are renewed.")
        for (window, count) in zip(Self.windows, ending) {
            due.add([MetricLabel("within", window.name)], count)
        }
        return [
            states, due,
            MetricFamily(
                "agora_token_notices_overdue", .gauge,
                "Leases whose next notice should have been sent; those over 10,000 are not counted.", Double(overdue)),
            MetricFamily(
                "agora_token_notices_overdue_seconds", .gauge, "How long the oldest of them has been overdue.",
                overdueBy),
        ]
    }
}
