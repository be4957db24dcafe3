// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Synchronization

/// What came of a connection so far.
final class Log: Sendable {
    private struct Content {
        var entries: [String] = []
        var failures = 0
        var readyTimes: UInt64 = 0
        var action: (@Sendable (UInt64) -> Void)?
    }

    private let content = Mutex(Content())

    var failures: Int { content.withLock(\.failures) }
    var last: String? { content.withLock { $0.entries.last } }

    func contains(_ entry: String) -> Bool { content.withLock { $0.entries.contains(entry) } }

    func add(_ entries: [String]) {
        content.withLock { $0.entries += entries }
    }

    func add(_ state: ConnectionState) {
        let call = content.withLock { content -> (action: (@Sendable (UInt64) -> Void), number: UInt64)? in
            if case .unreachable = state { content.failures += 1 }
            guard state.isReady else { return nil }
            content.readyTimes += 1
            return content.action.map { ($0, content.readyTimes) }
        }
        if let call { call.action(call.number) }
    }

    /// Does something with the number of the connection each time that one is ready, and for one that is already.
    func whenReady(_ action: @escaping @Sendable (UInt64) -> Void) {
        let times = content.withLock { content in
            content.action = action
            return content.readyTimes
        }
        if times > 0 { action(times) }
    }

    /// Waits until a condition holds, 120 s at most.
    func wait(_ what: String, until holds: (Log) -> Bool) async throws {
        let end = ContinuousClock.now.advanced(by: .seconds(120))
        while !holds(self) {
            guard .now < end else { throw HostilityFailure("\(what) hangs after \(failures) failures") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
