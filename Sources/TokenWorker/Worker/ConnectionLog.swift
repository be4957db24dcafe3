// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import Synchronization

/// Tells the log what becomes of a connection, without repeating itself while a broker is away.
final class ConnectionLog: Sendable {
    private let name: String
    private let log: Log
    private let last = Mutex<String?>(nil)

    /// Follows the connection of this name.
    init(name: String, log: Log) {
        self.name = name
        self.log = log
    }

    /// Takes a new state.
    func note(_ state: ConnectionState) {
        switch state {
        case .ready: write(.info, "connected", "ready")
        case .incomplete(let errors):
            let reasons = errors.map(\.description).joined(separator: "; ")
            let isMissing = errors.contains { $0.code == .notFound }
            write(.error, "incomplete", isMissing ? "\(reasons); agora-token topology apply makes it" : reasons)
        case .blocked(let reason): write(.warning, "blocked", reason)
        case .unreachable(let error, retryAfter: _):
            let isOwned = error.code == .resourceLocked
            write(.error, "unreachable", isOwned ? OwnerWatch.refusal : error.description)
        case .suspended: write(.info, "suspended", "not consuming")
        case .closed: write(.info, "closed", "closed")
        case .idle, .connecting: break
        }
    }

    private func write(_ level: LogBatch.Level, _ event: String, _ detail: String) {
        let isNews = last.withLock { last in
            defer { last = event + detail }
            return last != event + detail
        }
        guard isNews else { return }
        log.line(level, event) { fields in
            fields.add("connection", name)
            if event != detail { fields.add("detail", detail) }
        }
    }
}
