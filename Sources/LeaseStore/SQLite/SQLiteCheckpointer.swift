// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform
import Synchronization

/// A thread that copies the log into the database in the background, so that no commit has to.
final class SQLiteCheckpointer: Sendable {
    /// How often it looks.
    private static let interval = Duration.milliseconds(100)

    private let thread: PlainThread
    private let end = Mailbox(empty: false)

    /// Starts the thread.
    init(path: String, shared: SQLiteShared) {
        let end = end
        thread = PlainThread {
            // Without a connection, or after an error, the log grows until the next attempt: nothing is lost.
            var connection: SQLiteConnection?
            var seen = 0
            while !end.take(until: ContinuousClock.now.advanced(by: Self.interval)) {
                let commits = shared.commits.load(ordering: .relaxed)
                guard commits != seen else { continue }
                do throws(StoreError) {
                    let open = if let connection { connection } else { try SQLiteConnection(path: path) }
                    connection = open
                    try shared.checkpointing.withLock { _ throws(StoreError) in try open.checkpoint(.passive) }
                    seen = commits
                } catch {
                    connection = nil
                }
            }
        }
    }

    /// Ends the thread and waits for it.
    func stop() {
        end.put { $0 = true }
        thread.join()
    }
}
