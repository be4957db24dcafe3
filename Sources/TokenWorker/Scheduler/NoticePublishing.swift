// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// Where the scheduler's notices go out.
protocol NoticePublishing: Sendable {
    /// Publishes notices; what the broker says of each comes back later, once, to `Scheduler.settle(_:)`.
    func publish(_ notices: [NoticePublication])
}

/// A notice on its way.
struct NoticePublication: Sendable {
    /// Its number, from `Scheduler.firstTicket` on.
    let ticket: UInt64
    let notice: Notice
}

/// What became of a notice.
struct NoticeOutcome: Sendable {
    /// What the broker said.
    enum Result: Sendable, Hashable {
        /// It has it.
        case confirmed
        /// It would not take it, or the connection went before it spoke.
        case failed
        /// It can never be sent.
        case unsendable(String)
    }

    let ticket: UInt64
    let result: Result
}
