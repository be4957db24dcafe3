// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import TokenMessages

/// The scheduler's way out: the notices channel of the publishing connection.
struct NoticeLine: NoticePublishing {
    let pair: ConnectionPair
    let names: Names

    func publish(_ notices: [NoticePublication]) {
        pair.publish(
            notices.map { publication in
                var message = Publication(publication.notice, names: names)
                message.id = publication.ticket
                return message
            })
    }

    func publish(_ tokens: [TokenPublication]) {
        pair.publish(
            tokens.map { token in
                var message = Publication(token.message.reply, token.message.properties, to: token.message.address)
                message.id = token.ticket
                return message
            })
    }

    /// Gives outcomes to their owners; a batch of replies alone, the common case, is not copied.
    static func distribute(_ outcomes: [PublishOutcome], replies: ReplyDesk, notices: Scheduler?) {
        guard outcomes.contains(where: { $0.id >= Scheduler.firstTicket }) else { return replies.settle(outcomes) }
        let own = outcomes.filter { $0.id < Scheduler.firstTicket }
        if !own.isEmpty { replies.settle(own) }
        notices?.settle(
            outcomes.filter { $0.id >= Scheduler.firstTicket }.map { outcome in
                NoticeOutcome(ticket: outcome.id, result: NoticeOutcome.Result(outcome.result))
            })
    }
}

extension NoticeOutcome.Result {
    init(_ result: PublishOutcome.Result) {
        self =
            switch result {
            case .confirmed: .confirmed
            case .returned: .unroutable
            case .nacked, .lost: .failed
            case .invalid(let reason): .unsendable(reason)
            }
    }
}
