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

    private var replyQueue: String?
    private var canPublish = false
    private var readers: [UInt64: Waiter] = [:]
    private var waiting: [UInt64: Waiter] = [:]

    /// Where replies come to, once everything is connected.
    var address: String? { canPublish ? replyQueue : nil }

    /// Lets a call wait until everything is connected.
    mutating func await(_ call: UInt64, _ waiter: Waiter) -> Ending? {
        if address != nil { return Ending(waiter: waiter, result: .success(nil)) }
        waiting[call] = waiter
        return nil
    }

    /// Lets a call wait for its reply; when the connection has gone in between it ends at once.
    mutating func expect(_ call: UInt64, _ waiter: Waiter) -> Ending? {
        guard address != nil else {
            return Ending(waiter: waiter, result: .failure(.unavailable("the connection to the broker was lost")))
        }
        readers[call] = waiter
        return nil
    }

    /// Ends a call with its reply or an error; a call that has ended already is left alone.
    mutating func end(_ call: UInt64, _ result: Result<Reply?, ClientError>) -> Ending? {
        guard let waiter = readers.removeValue(forKey: call) ?? waiting.removeValue(forKey: call) else { return nil }
        return Ending(waiter: waiter, result: result)
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
        defer { waiting.removeAll() }
        return waiting.values.map { Ending(waiter: $0, result: .failure(.unavailable(reason))) }
    }

    private mutating func lose() -> [Ending] {
        defer { readers.removeAll() }
        return readers.values.map {
            Ending(waiter: $0, result: .failure(.unavailable("the connection to the broker was lost")))
        }
    }

    private mutating func wake() -> [Ending] {
        guard address != nil else { return [] }
        defer { waiting.removeAll() }
        return waiting.values.map { Ending(waiter: $0, result: .success(nil)) }
    }
}
