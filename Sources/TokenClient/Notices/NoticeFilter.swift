// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Synchronization
internal import TokenMessages

/// A ``GenerationFilter`` for notices that come on one side and tokens that come on the other.
final class NoticeFilter: Sendable {
    private let filter = Mutex(GenerationFilter())

    /// Whether a notice says something new.
    func admits(_ notice: Notice) -> Bool { filter.withLock { $0.admits(notice) } }

    /// Notes a token that its holder has.
    func holds(_ token: TokenReply) {
        guard let leaseID = token.leaseID, let generation = token.generation else { return }
        filter.withLock { $0.holds(leaseID: leaseID, generation: generation) }
    }
}
