// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// Where the scheduler's notices and tokens go out.
protocol NoticePublishing: Sendable {
    /// Publishes notices; what the broker says of each comes back later, once, to `Scheduler.settle(_:)`.
    func publish(_ notices: [NoticePublication])

    /// Publishes tokens, each to the queue of its lease; outcomes come as those of notices do.
    func publish(_ tokens: [TokenPublication])
}

/// A notice on its way.
struct NoticePublication: Sendable {
    /// Its number, from `Scheduler.firstTicket` on.
    let ticket: UInt64
    let notice: Notice
}

/// A token on its way that no message asked for.
struct TokenPublication: Sendable {
    /// A reply and where it goes.
    struct Message: Sendable {
        let reply: Reply
        let properties: ReplyProperties
        /// The queue of the lease.
        let address: String
    }

    /// Its number, from `Scheduler.firstTicket` on.
    let ticket: UInt64
    let message: Message
}

/// What became of a notice or a token.
struct NoticeOutcome: Sendable {
    /// What the broker said.
    enum Result: Sendable, Hashable {
        /// It has it.
        case confirmed
        /// No queue took it; of notices the exchange keeps such ones.
        case unroutable
        /// It would not take it, or the connection went before it spoke.
        case failed
        /// It can never be sent.
        case unsendable(String)
    }

    let ticket: UInt64
    let result: Result
}
