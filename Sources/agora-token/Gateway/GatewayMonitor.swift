// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Synchronization
import TokenClient
import TokenWorker

/// What a gateway counts, and what it tells monitoring and the service manager.
final class GatewayMonitor: Sendable {
    private struct State {
        var counters = GatewayCounters()
        var isStopping = false
    }

    private let client: TokenClient
    private let state = Mutex(State())

    init(_ client: TokenClient) { self.client = client }

    /// Takes an answer to a request that came at `arrival`.
    func note(_ label: GatewayCounters.Label, since arrival: ContinuousClock.Instant) {
        let duration = ContinuousClock.now - arrival
        state.withLock { $0.counters.add(label, took: duration) }
    }

    /// Notes that the gateway has been told to end.
    func stops() { state.withLock { $0.isStopping = true } }

    /// How the gateway is as far as the connections go; no worker is asked.
    ///
    /// - Parameter server: what serves clients, whose thread has to move too; `nil` where that is what asks.
    /// - Returns: the verdict, with its parts.
    func health(of server: HTTPServer? = nil) -> ServiceHealth {
        let isStopping = state.withLock { $0.isStopping }
        let parts = connections.map { ServiceHealth.Check(name: $0.name, fault: $0.state.fault) }
        // A server that takes no more connections does not move for new ones.
        let silences = isStopping ? [] : server.map { [ServiceHealth.Silence(thread: "http", duration: $0.silence)] }
        return ServiceHealth(parts, silences: silences ?? [], stopping: isStopping ? "gateway" : nil)
    }

    /// The pages for monitoring.
    func page(_ path: String, of server: HTTPServer) -> HTTPAnswer? {
        switch path {
        case "/livez": health(of: server).liveAnswer
        case "/readyz": health(of: server).readyAnswer
        case "/metrics": HTTPAnswer(metrics: families(of: server))
        default: nil
        }
    }

    private var connections: [(name: String, state: ConnectionState)] {
        [("requests", client.requestsState), ("replies", client.repliesState)]
    }

    /// Everything that there is to measure.
    private func families(of server: HTTPServer) -> [MetricFamily] {
        let ready = MetricFamily(
            "agora_token_gateway_ready", .gauge, "Whether the next request could be sent to a worker, as /readyz.",
            health(of: server).isReady ? 1 : 0)
        var connected = MetricFamily(
            "agora_token_gateway_broker_connected", .gauge, "Whether there is a connection to the broker.")
        for connection in connections {
            connected.add([MetricLabel("connection", connection.name)], connection.state.isConnected ? 1 : 0)
        }
        return [.build, ready, connected] + state.withLock { $0.counters.families } + MetricFamily.process
    }
}
