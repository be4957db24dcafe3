// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import Platform
import Synchronization
import TokenMessages

/// Publishes the notices of leases when they are due, on a thread and a store connection of its own.
final class Scheduler: Sendable {
    /// The first number of its publications, far from those of other publishers.
    static let firstTicket: UInt64 = 1 << 63

    private let mailbox = Mailbox(empty: SchedulerLoop.Inbox())
    private let thread: PlainThread
    private let health: Health

    /// Starts the thread.
    ///
    /// It claims nothing before ``brokerIsReady(_:)``.
    ///
    /// - Parameters:
    ///   - database: where the leases are.
    ///   - publisher: where the notices go.
    ///   - authority: decides about renewals by the worker, and signs them.
    ///   - configuration: how it works.
    ///   - grace: how long it waits at its end for the broker to speak of what is on its way.
    ///   - observe: hears, on the scheduler's thread, what there is to log and to count.
    init(
        database: any LeaseDatabase, publisher: any NoticePublishing, authority: any RenewalAuthority,
        configuration: SchedulerConfiguration = SchedulerConfiguration(), grace: Duration = .seconds(5),
        observe: @escaping @Sendable (SchedulerEvent) -> Void
    ) {
        let mailbox = mailbox
        let health = Health()
        self.health = health
        thread = PlainThread {
            let loop = SchedulerLoop(
                database: database, publisher: publisher, authority: authority, configuration: configuration,
                firstTicket: Self.firstTicket, observe: observe)
            var wake = ContinuousClock.now
            var end: ContinuousClock.Instant?
            while true {
                let inbox = mailbox.take(until: wake)
                if inbox.isStopping { end = .now.advanced(by: grace) }
                wake = .now.advanced(by: .seconds(loop.turn(inbox)))
                health.turned()
                if let end, loop.isIdle || end <= .now { break }
            }
            loop.abandon()
        }
    }

    /// Takes what the broker said of notices.
    func settle(_ outcomes: [NoticeOutcome]) {
        mailbox.put { $0.outcomes += outcomes }
    }

    /// Says whether notices can be published: connected, and not blocked.
    ///
    /// While they cannot, nothing is claimed.
    func brokerIsReady(_ isReady: Bool) {
        mailbox.put { $0.brokerIsReady = isReady }
    }

    /// Ends it: no more claims; what is on its way is waited for, marked or given back.
    ///
    /// Returns when that is done.
    func stop() {
        mailbox.put { $0.isStopping = true }
        thread.join()
    }

    /// How long ago its thread last did something: more than a few seconds means that it hangs.
    var silence: Duration { health.silence }

    private final class Health: Sendable {
        private let turn = Mutex(ContinuousClock.now)

        func turned() { turn.withLock { $0 = .now } }

        var silence: Duration { turn.withLock { .now - $0 } }
    }
}
