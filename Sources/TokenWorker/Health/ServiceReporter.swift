// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Platform

/// Tells systemd how a service is, where systemd has started it; elsewhere it does nothing.
package struct ServiceReporter: Sendable {
    private let socket: NotifySocket?
    private var state: ServiceState

    /// Reads what systemd has put into the environment.
    package init(_ environment: [String: String]) {
        socket = NotifySocket(environment)
        state = ServiceState(environment, processID: ProcessIdentity.pid, start: .now)
    }

    /// How long the caller may rest between two reports.
    package var longestPause: Duration {
        socket == nil ? .seconds(3600) : max(state.watchdog ?? .seconds(3600), .milliseconds(10))
    }

    /// Tells what is new; what could not be sent is told again.
    package mutating func report(_ health: @autoclosure () -> ServiceHealth) {
        guard let socket else { return }
        var next = state
        guard let news = next.news(health(), at: .now) else { return }
        if socket.send(news) { state = next }
    }

    /// Tells that the service is about to end.
    package mutating func stopping() { _ = socket?.send(state.stopping()) }

    /// Tells that the configuration is being read again, reads it, and tells that it was, however that went.
    package func reload(_ read: () throws -> Void) rethrows {
        guard let socket else { return try read() }
        _ = socket.send(state.reloading(monotonicMicroseconds: MonotonicClock.microseconds()))
        defer { _ = socket.send(state.reloaded()) }
        try read()
    }
}
