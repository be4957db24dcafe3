// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Platform
internal import Synchronization
internal import TokenMessages

/// The keepers of a client, and the one subscription that brings all of them their notices.
final class Keepers: Sendable {
    private struct State {
        var keepers: [ObjectIdentifier: TokenKeeper] = [:]
        var watchers: [String: [ObjectIdentifier: TokenKeeper]] = [:]
        var subscription: NoticeSubscription?
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a keeper, the first of which has the notices subscribed to; returns whether the client is still open.
    func add(_ keeper: TokenKeeper, _ subscribe: () -> NoticeSubscription) -> Bool {
        let (isOpen, isFirst) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.keepers[ObjectIdentifier(keeper)] = keeper
            guard state.subscription == nil else { return (true, false) }
            state.subscription = subscribe()
            return (true, true)
        }
        if isFirst, let notices = state.withLock({ $0.subscription?.notices }) {
            Task { for await notice in notices { distribute(notice) } }
        }
        return isOpen
    }

    /// How many keepers there are.
    var count: Int { state.withLock { $0.keepers.count } }

    /// Forgets a keeper that has ended.
    func remove(_ keeper: TokenKeeper) { state.withLock { $0.keepers[ObjectIdentifier(keeper)] = nil } }

    /// Has a keeper hear the notices of some leases, and no longer of others.
    func watch(_ keeper: TokenKeeper, _ leases: Set<String>, insteadOf old: Set<String>) {
        state.withLock { state in
            let key = ObjectIdentifier(keeper)
            for lease in old.subtracting(leases) {
                state.watchers[lease]?[key] = nil
                if state.watchers[lease]?.isEmpty == true { state.watchers[lease] = nil }
            }
            for lease in leases.subtracting(old) { state.watchers[lease, default: [:]][key] = keeper }
        }
    }

    /// Ends every keeper, and takes no more.
    func close() {
        let (keepers, subscription) = state.withLock { state in
            defer { state.keepers = [:] }
            state.isClosed = true
            return (Array(state.keepers.values), state.subscription.take())
        }
        for keeper in keepers { keeper.abandon(.unavailable("the client is closed")) }
        subscription?.close()
    }

    /// Ends the subscription of a client that nobody holds any more, without waiting for the broker.
    func letGo() {
        guard let subscription = state.withLock({ $0.subscription.take() }) else { return }
        PlainThread(named: "amqp-close") { subscription.close() }
    }

    private func distribute(_ notice: Notice) {
        let watchers = state.withLock { state in state.watchers[notice.leaseID].map { Array($0.values) } ?? [] }
        for keeper in watchers { keeper.hear(notice) }
    }
}
