// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Synchronization
internal import TokenMessages

/// Carries out a ``KeepPlan``: sends what it orders, wakes it when it is time, and tells what it says.
final class TokenKeeper: Sendable {
    private typealias Waiter = CheckedContinuation<Result<TokenReply, ClientError>, Never>

    private struct State {
        var plan: KeepPlan
        var ends: [ClientError?]
        var waiters: [UInt64: (position: Int, waiter: Waiter)] = [:]
        var cancelled: Set<UInt64> = []
        var nextWaiter: UInt64 = 0
        var leases: Set<String> = []
    }

    let client: TokenClient
    private let state: Mutex<State>
    private let streams: [AsyncStream<KeptTokenUpdate>.Continuation]
    private let rings: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// Keeps tokens for these requests, from ``run()`` on.
    init(_ requests: [TokenRequest], _ client: TokenClient, streams: [AsyncStream<KeptTokenUpdate>.Continuation]) {
        let name = "keep-" + String(UInt64.random(in: .min ... .max), radix: 36)
        self.client = client
        self.streams = streams
        state = Mutex(
            State(
                plan: KeepPlan(requests, name: name, at: .now), ends: Array(repeating: nil, count: requests.count)))
        (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Works until everything has ended.
    func run() async {
        var timer: Task<Void, Never>?
        bell.yield()
        for await _ in rings {
            timer?.cancel()
            while let order = state.withLock({ $0.plan.next(at: .now) }) { await perform(order) }
            let (isOver, wakeUp) = state.withLock { ($0.plan.isOver, $0.plan.wakeUp) }
            if isOver { break }
            let bell = bell
            timer = wakeUp.map { wakeUp in
                Task {
                    try? await Task.sleep(until: wakeUp, clock: .continuous)
                    if !Task.isCancelled { bell.yield() }
                }
            }
        }
        timer?.cancel()
        watch([])
        client.keepers.remove(self)
    }

    /// The token at a position, while it is valid.
    func current(_ position: Int) -> TokenReply? { state.withLock { $0.plan.token(position, at: .now) } }

    /// Waits for a valid token.
    func token(_ position: Int) async throws(ClientError) -> TokenReply {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let answer: Result<TokenReply, ClientError>? = state.withLock { state in
                    if let token = state.plan.token(position, at: .now) { return .success(token) }
                    if state.plan.holdings[position].isEnded {
                        return .failure(state.ends[position] ?? .cancelled)
                    }
                    if state.cancelled.remove(number) != nil { return .failure(.cancelled) }
                    state.waiters[number] = (position, waiter)
                    return nil
                }
                if let answer { waiter.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                if let waiter = state.waiters.removeValue(forKey: number)?.waiter { return waiter as Waiter? }
                state.cancelled.insert(number)
                return nil
            }
            waiter?.resume(returning: .failure(.cancelled))
        }
        state.withLock { _ = $0.cancelled.remove(number) }
        return try result.get()
    }

    /// Takes a notice of one of the leases.
    func hear(_ notice: Notice) {
        tell(state.withLock { $0.plan.heard(notice, at: .now) })
        bell.yield()
    }

    /// Ends everything and leaves the leases alone.
    func abandon(_ error: ClientError? = nil) { _ = stop(Array(streams.indices), error) }

    /// Cancels leases; those that are gone are none to complain about.
    static func cancel(_ leases: [String], by client: TokenClient) async throws(ClientError) {
        var rest = leases[...]
        while !rest.isEmpty {
            let part = rest.prefix(Batch.mostItems)
            rest = rest.dropFirst(part.count)
            for result in try await client.cancel(part.map { CancelRequest(.leaseID($0)) }) {
                guard case .failure(let error) = result else { continue }
                guard [.leaseNotFound, .leaseCancelled].contains(error.code) else { throw .refused(error) }
            }
        }
    }

    /// Ends what is kept at some positions; returns the leases that are left.
    func stop(_ positions: [Int], _ error: ClientError? = nil) -> [String] {
        var updates: KeepPlan.Updates = []
        var leases: [String] = []
        state.withLock { state in
            for position in positions {
                let (update, lease) = state.plan.end(position, error)
                if let update { updates.append((position, update)) }
                if let lease { leases.append(lease) }
            }
        }
        tell(updates)
        bell.yield()
        return leases
    }

    private func perform(_ order: KeepPlan.Order) async {
        let share = Double.random(in: 0...1)
        do throws(ClientError) {
            let results = try await send(order)
            let (updates, unwanted) = state.withLock { $0.plan.answered(order, results, at: .now, share: share) }
            watch(state.withLock { Set($0.plan.holdings.filter { !$0.isEnded }.compactMap(\.token?.leaseID)) })
            tell(updates)
            // They end by themselves where that fails.
            try? await Self.cancel(unwanted, by: client)
        } catch {
            tell(state.withLock { $0.plan.failed(order, error, at: .now, share: share) })
        }
    }

    private func send(_ order: KeepPlan.Order) async throws(ClientError) -> [Result<TokenReply, MessageError>] {
        let holdings = state.withLock { state in order.positions.map { state.plan.holdings[$0] } }
        switch order.kind {
        case .request: return try await client.request(holdings.map(\.request), messageID: order.messageID)
        case .renew:
            let renewals = holdings.compactMap { $0.token?.leaseID }.map { RenewRequest(.leaseID($0)) }
            return try await client.renew(renewals, messageID: order.messageID)
        }
    }

    /// Hears the notices of these leases and of no others.
    private func watch(_ leases: Set<String>) {
        let old = state.withLock { state in
            defer { state.leases = leases }
            return state.leases
        }
        client.keepers.watch(self, leases, insteadOf: old)
    }

    private func tell(_ updates: KeepPlan.Updates) {
        for (position, update) in updates {
            let (waiters, result) = state.withLock { state in
                var result: Result<TokenReply, ClientError>?
                switch update {
                case .token(let reply): result = .success(reply)
                case .ended(let error):
                    state.ends[position] = error
                    result = .failure(error ?? .cancelled)
                case .failed: break
                }
                guard result != nil else { return ([Waiter](), result) }
                let numbers = state.waiters.filter { $0.value.position == position }.keys
                return (numbers.compactMap { state.waiters.removeValue(forKey: $0)?.waiter }, result)
            }
            streams[position].yield(update)
            if case .ended = update { streams[position].finish() }
            if let result { for waiter in waiters { waiter.resume(returning: result) } }
        }
    }
}
