// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Synchronization
internal import TokenMessages

/// Tells a client's subscriptions of the tokens that the client gets, for as long as they live.
final class Audience: Sendable {
    private struct Hearer {
        weak let filter: NoticeFilter?
    }

    private let hearers = Mutex<[Hearer]>([])

    /// Adds a subscription.
    func add(_ filter: NoticeFilter) {
        hearers.withLock { hearers in
            hearers.removeAll { $0.filter == nil }
            hearers.append(Hearer(filter: filter))
        }
    }

    /// Tells of the tokens of a reply.
    func hear(_ reply: Reply) {
        let filters = hearers.withLock { $0.compactMap(\.filter) }
        guard !filters.isEmpty else { return }
        switch reply {
        case .issued(let token), .renewed(let token): for filter in filters { filter.holds(token) }
        case .batch(let batch):
            for case .token(let token) in batch.results { for filter in filters { filter.holds(token) } }
        case .cancelled, .explained, .error: break
        }
    }
}
