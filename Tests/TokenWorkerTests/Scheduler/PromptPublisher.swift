// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Synchronization
import TokenMessages

@testable import TokenWorker

/// A broker that has everything at once.
final class PromptPublisher: NoticePublishing {
    private let scheduler = Mutex<Scheduler?>(nil)
    private let received = Mutex<[Notice]>([])

    /// Everything published so far.
    var notices: [Notice] { received.withLock { $0 } }

    /// Answers to a scheduler.
    func use(_ scheduler: Scheduler) { self.scheduler.withLock { $0 = scheduler } }

    func publish(_ tokens: [TokenPublication]) {
        let scheduler = scheduler.withLock { $0 }
        scheduler?.settle(tokens.map { NoticeOutcome(ticket: $0.ticket, result: .confirmed) })
    }

    func publish(_ publications: [NoticePublication]) {
        received.withLock { $0 += publications.map(\.notice) }
        let scheduler = scheduler.withLock { $0 }
        scheduler?.settle(publications.map { NoticeOutcome(ticket: $0.ticket, result: .confirmed) })
    }
}
