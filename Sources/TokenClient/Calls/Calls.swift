// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

/// Which caller waits for what: for the connections to be ready, or for a reply.
///
/// `Waiter` is resumed once, with a reply or an error; this type decides which and when, and does no I/O.
struct Calls<Waiter> {
    /// A waiter and what it is to hear.
    struct Ending {
        let waiter: Waiter
        let result: Result<Reply?, ClientError>
    }

    /// How far a call has come.
    private enum Stage {
        /// It waits for nothing right now.
        case between
        /// It waits for the connections.
        case connecting(Waiter)
        /// It waits for its reply.
        case expecting(Waiter)
        /// It has its result, which it hears the next time that it asks.
        case ended(Result<Reply?, ClientError>)
    }

    private static var lost: ClientError { .unavailable("the connection to the broker was lost") }
    private static var closed: ClientError { .unavailable("the client is closed") }

    private var replyQueue: String?
    private var canPublish = false
    private var isClosed = false
    private var stages: [UInt64: Stage] = [:]

    /// Where replies come to, once everything is connected.
    var address: String? { canPublish ? replyQueue : nil }

    /// How many calls there are.
    var count: Int { stages.count }

    /// Takes up a call, which from now on can be ended at any time.
    mutating func begin(_ call: UInt64) { stages[call] = .between }

    /// Forgets a call, as nobody waits for anything of it any more.
    mutating func finish(_ call: UInt64) { stages[call] = nil }

    /// Lets a call wait until everything is connected.
    mutating func await(_ call: UInt64, _ waiter: Waiter) -> Ending? {
        if case .ended(let result) = stages[call] { return Ending(waiter: waiter, result: result) }
        if isClosed { return Ending(waiter: waiter, result: .failure(Self.closed)) }
        if address != nil { return Ending(waiter: waiter, result: .success(nil)) }
        stages[call] = .connecting(waiter)
        return nil
    }

    /// Lets a call wait for its reply; when the connection has gone in between it ends at once.
    mutating func expect(_ call: UInt64, _ waiter: Waiter) -> Ending? {
        if case .ended(let result) = stages[call] { return Ending(waiter: waiter, result: result) }
        guard address != nil else { return Ending(waiter: waiter, result: .failure(Self.lost)) }
        stages[call] = .expecting(waiter)
        return nil
    }

    /// Ends a call with its reply or an error; a call that has ended already is left alone.
    mutating func end(_ call: UInt64, _ result: Result<Reply?, ClientError>) -> Ending? {
        switch stages[call] {
        case .connecting(let waiter), .expecting(let waiter):
            stages[call] = .ended(result)
            return Ending(waiter: waiter, result: result)
        case .between:
            stages[call] = .ended(result)
            return nil
        case .ended, nil: return nil
        }
    }

    /// Notes that the replies' queue is there, or with `nil` that it went, with every reply in it.
    mutating func consumes(_ queue: String?) -> [Ending] {
        replyQueue = queue
        return queue == nil ? lose() : wake()
    }

    /// Notes whether messages can be published.
    ///
    /// What was published before is lost only if its own outcome says so.
    mutating func publishes(_ isReady: Bool) -> [Ending] {
        canPublish = isReady
        return wake()
    }

    /// Ends the calls that wait for a connection, because there is none.
    mutating func unreachable(_ reason: String) -> [Ending] {
        endAll(.failure(.unavailable(reason))) { if case .connecting = $0 { true } else { false } }
    }

    /// Ends every call, those that come later too.
    mutating func close() -> [Ending] {
        isClosed = true
        return endAll(.failure(Self.closed)) { _ in true }
    }

    private mutating func lose() -> [Ending] {
        endAll(.failure(Self.lost)) { if case .expecting = $0 { true } else { false } }
    }

    private mutating func endAll(_ result: Result<Reply?, ClientError>, where fits: (Stage) -> Bool) -> [Ending] {
        stages.filter { fits($0.value) }.keys.compactMap { end($0, result) }
    }

    private mutating func wake() -> [Ending] {
        guard address != nil else { return [] }
        var endings: [Ending] = []
        for (call, stage) in stages {
            guard case .connecting(let waiter) = stage else { continue }
            stages[call] = .between
            endings.append(Ending(waiter: waiter, result: .success(nil)))
        }
        return endings
    }
}
