// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore
internal import Synchronization

/// What the threads of a worker say about themselves, for whoever asks.
final class Vitals: Sendable {
    /// Who uses the store; each has a connection of its own.
    enum StoreUser: Int, Sendable, CaseIterable {
        case issuer
        case scheduler
    }

    private struct State {
        var issuerMoved = ContinuousClock.now
        var storeFaults: [String?] = Array(repeating: nil, count: StoreUser.allCases.count)
        var isStopping = false
    }

    private let state = Mutex(State())

    /// Notes that the issuer's thread did something.
    func issuerMoved() { state.withLock { $0.issuerMoved = .now } }

    /// Notes that the store failed for one of its users, or with `nil` that it works.
    func store(_ user: StoreUser, _ fault: StoreError?) {
        state.withLock { $0.storeFaults[user.rawValue] = fault.map { "\($0)" } }
    }

    /// Notes that the worker has been told to end.
    func stops() { state.withLock { $0.isStopping = true } }

    /// Notes what the scheduler says of the store.
    func note(_ event: SchedulerEvent) {
        switch event {
        case .storeAway(let error): store(.scheduler, error)
        case .storeBack: store(.scheduler, nil)
        default: break
        }
    }

    /// Adds what is known here to what the connections say.
    func complete(_ readiness: inout Readiness) {
        let state = state.withLock { $0 }
        readiness.storeFaults = state.storeFaults.compactMap(\.self)
        readiness.silences.append(.init(thread: "issuer", duration: .now - state.issuerMoved))
        readiness.isStopping = state.isStopping
    }
}
