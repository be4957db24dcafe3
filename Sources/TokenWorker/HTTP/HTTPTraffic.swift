// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CMicroHTTPD
import Glibc
import Platform
import Synchronization

/// What is going on at a server: its connections and the requests that are not answered yet.
@safe final class HTTPTraffic: Sendable {
    private struct Connection {
        let descriptor: Int32
        /// Since when a whole request is waited for; `nil` while one is being answered.
        var waitingSince: ContinuousClock.Instant?
    }

    private struct State {
        var connections: [UInt: Connection] = [:]
        var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
        var isStopping = false
        /// When the library's thread last called.
        var moved = ContinuousClock.now
    }

    let service: any HTTPService
    let limits: HTTPLimits
    private let state = Mutex(State())
    /// Told whenever the last request has been answered.
    private let idle = Mailbox(empty: false)

    init(service: any HTTPService, limits: HTTPLimits) {
        self.service = service
        self.limits = limits
    }

    /// Whether connections end with their next answer.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// How long the library's thread has done nothing, since nobody came or since it cannot.
    var silence: Duration { state.withLock { .now - $0.moved } }

    /// Notes a new connection.
    func opened(_ connection: OpaquePointer) {
        let descriptor = unsafe cmicrohttpd_descriptor(connection)
        state.withLock {
            $0.moved = .now
            $0.connections[UInt(bitPattern: connection)] = Connection(
                descriptor: descriptor, waitingSince: .now)
        }
    }

    /// Forgets a connection, whose descriptor is closed afterwards.
    func closed(_ connection: OpaquePointer) {
        state.withLock {
            $0.moved = .now
            $0.connections[UInt(bitPattern: connection)] = nil
        }
    }

    /// Notes a request whose head has been read.
    func begins(_ exchange: HTTPExchange) {
        state.withLock {
            $0.moved = .now
            $0.exchanges[ObjectIdentifier(exchange)] = exchange
        }
    }

    /// Notes that a request has come as a whole.
    func isWhole(_ connection: OpaquePointer) {
        state.withLock { $0.connections[UInt(bitPattern: connection)]?.waitingSince = nil }
    }

    /// Notes that a request was answered, or its connection lost.
    func ended(_ exchange: HTTPExchange, _ connection: OpaquePointer) {
        let isIdle = state.withLock { state in
            state.moved = .now
            state.exchanges[ObjectIdentifier(exchange)] = nil
            state.connections[UInt(bitPattern: connection)]?.waitingSince = .now
            return state.exchanges.isEmpty
        }
        if isIdle { idle.put { $0 = true } }
    }

    /// Cuts off those that have kept the server waiting for too long; the library then closes their connections.
    func cutSlow(at now: ContinuousClock.Instant) {
        state.withLock { state in
            for connection in state.connections.values {
                guard let since = connection.waitingSince, now - since > limits.requestTime else { continue }
                shutdown(connection.descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    /// Ends each connection with its next answer.
    func stops() { state.withLock { $0.isStopping = true } }

    /// Waits until no request is without its answer; returns whether that came in time.
    func waitUntilIdle(until deadline: ContinuousClock.Instant, unless isUrgent: () -> Bool = { false }) -> Bool {
        while !state.withLock({ $0.exchanges.isEmpty }) {
            guard ContinuousClock.now < deadline, !isUrgent() else { return false }
            _ = idle.take(until: min(deadline, ContinuousClock.now.advanced(by: .milliseconds(200))))
        }
        return true
    }

    /// Answers what has no answer yet.
    func giveUp() {
        let rest = state.withLock { Array($0.exchanges.values) }
        for exchange in rest { exchange.answer(service.parting) }
    }
}
