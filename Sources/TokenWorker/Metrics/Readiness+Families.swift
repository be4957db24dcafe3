// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP

extension Readiness {
    /// How the worker is right now, as metrics.
    ///
    /// - Parameter hasStore: whether there is a store that could be away.
    /// - Returns: a family for each part.
    func families(hasStore: Bool) -> [MetricFamily] {
        let connections = [("intake", intake), ("publisher", publisher)]
        var ready = MetricFamily("agora_token_ready", .gauge, "Whether the next request could be served, as /readyz.")
        ready.add([], health.isReady ? 1 : 0)
        var connected = MetricFamily(
            "agora_token_broker_connected", .gauge, "Whether there is a connection to the broker.")
        var blocked = MetricFamily(
            "agora_token_broker_blocked", .gauge, "Whether the broker has stopped publishing by this worker.")
        for (name, state) in connections {
            connected.add([MetricLabel("connection", name)], state.isConnected ? 1 : 0)
            blocked.add([MetricLabel("connection", name)], state.isBlocked ? 1 : 0)
        }
        var silence = MetricFamily(
            "agora_token_thread_silence_seconds", .gauge, "Time since a thread last moved; more than 10 is a fault.")
        for thread in silences { silence.add([MetricLabel("thread", thread.thread)], thread.duration.seconds) }
        var families = [ready, connected, blocked, silence]
        if hasStore {
            families.append(
                MetricFamily(
                    "agora_token_store_up", .gauge, "Whether the store of leases works.",
                    storeFaults.isEmpty ? 1 : 0))
        }
        return families
    }
}
