// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP

/// Whose publication a number is, since replies and notices share a connection.
enum PublicationNumbers {
    private static let noticeBit: UInt64 = 1 << 63

    /// Whether it was numbered by the scheduler.
    static func isNotice(_ id: UInt64) -> Bool { id & noticeBit != 0 }

    /// The scheduler's number on the connection, and back.
    static func notice(_ id: UInt64) -> UInt64 { id ^ noticeBit }

    /// Gives outcomes to their owners; a batch of replies alone, the common case, is not copied.
    static func distribute(
        _ outcomes: [PublishOutcome], replies: ([PublishOutcome]) -> Void, notices: ([PublishOutcome]) -> Void
    ) {
        guard outcomes.contains(where: { isNotice($0.id) }) else { return replies(outcomes) }
        let own = outcomes.filter { !isNotice($0.id) }
        if !own.isEmpty { replies(own) }
        notices(
            outcomes.filter { isNotice($0.id) }.map { PublishOutcome(id: notice($0.id), result: $0.result) })
    }
}
