// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore
internal import Platform
internal import Synchronization

/// Counts the leases now and then while somebody asks, on a thread and a store connection of its own.
///
/// Whoever asks gets what was counted last and never waits: a scrape costs the store nothing, however often it comes.
final class CensusTaker: Sendable {
    private struct Inbox: Sendable {
        var isWanted = false
        var isStopping = false
    }

    private let mailbox = Mailbox(empty: Inbox())
    private let latest: Latest
    private let thread: PlainThread

    private final class Latest: Sendable {
        let count = Mutex<(census: LeaseCensus, at: ContinuousClock.Instant)?>(nil)
    }

    /// Starts the thread, which counts for the first time at once.
    init(_ database: any LeaseDatabase) {
        let mailbox = mailbox
        let latest = Latest()
        self.latest = latest
        thread = PlainThread {
            var store: (any LeaseListing)?
            var pace = CensusPace(at: .now)
            while !mailbox.take(until: nil).isStopping {
                let start = ContinuousClock.now
                guard pace.isDue(at: start) else { continue }
                do throws(StoreError) {
                    if store == nil { store = try database.open() as? any LeaseListing }
                    let census = try store?.census(of: LeaseCensus.sampleSize)
                    if let census { latest.count.withLock { $0 = (census, .now) } }
                } catch {
                    // The others notice as well, and say so; here it is tried again.
                    store = nil
                }
                pace.counted(from: start, to: .now)
            }
        }
        mailbox.put { $0.isWanted = true }
    }

    /// What was counted last, unless that was long ago; and has it counted again, where it is time.
    var census: LeaseCensus? {
        mailbox.put { $0.isWanted = true }
        return latest.count.withLock { $0 }.flatMap { CensusPace.isValid($0.at, at: .now) ? $0.census : nil }
    }

    /// Ends the thread, as soon as a count under way is done.
    func stop() { mailbox.put { $0.isStopping = true } }

    /// Waits for its end.
    func join() { thread.join() }
}
