// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

/// What a keeper of tokens does next, and when; decided from replies, notices and the time, without I/O.
///
/// Tokens that fall due together are renewed together: after that they fall due together again.
struct KeepPlan: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The two ways to a token.
    enum Kind: Sendable, Hashable {
        case request
        case renew
    }

    /// One message to send.
    struct Order: Sendable, Hashable {
        let kind: Kind
        /// Whose tokens, in order.
        let positions: [Int]
        /// The same when the message is a repeat of one whose fate is not known.
        let messageID: String
        /// When the message was sent first: nothing that it brings is younger.
        let askedAt: Instant
    }

    /// What is to be told, by position.
    typealias Updates = [(position: Int, update: KeptTokenUpdate)]

    /// A message is repeated under its id for so long; later the worker might not remember it.
    private static var repeatable: Duration { .seconds(30) }

    private(set) var holdings: [Holding]
    private let name: String
    private var orders = 0
    private var unanswered: Order?

    /// Keeps tokens for these requests.
    ///
    /// - Parameters:
    ///   - requests: what is asked for.
    ///   - name: what message ids begin with; no other plan's.
    ///   - now: the time.
    init(_ requests: [TokenRequest], name: String, at now: Instant) {
        holdings = requests.map { Holding($0, at: now) }
        self.name = name
    }

    /// Whether nothing is left to keep.
    var isOver: Bool { holdings.allSatisfy(\.isEnded) }

    /// The token at a position, while it is to be relied on.
    func token(_ position: Int, at now: Instant) -> TokenReply? {
        now < holdings[position].validUntil ? holdings[position].token : nil
    }

    /// When there will be something to do; `nil` when there is nothing left.
    var wakeUp: Instant? { holdings.filter { !$0.isEnded }.map(\.dueAt).min() }

    /// What to do now, if anything.
    mutating func next(at now: Instant) -> Order? {
        guard let first = holdings.first(where: { $0.isDue(at: now) }) else { return nil }
        let kind = first.order(at: now)
        let positions = holdings.indices.filter { index in
            let holding = holdings[index]
            return holding.order(at: now) == kind && (holding.isDue(at: now) || holding.isNearlyDue(at: now))
        }.prefix(Batch.mostItems)
        if let last = unanswered, last.kind == kind, last.positions == Array(positions),
            now - last.askedAt < Self.repeatable
        {
            return last
        }
        orders += 1
        return Order(kind: kind, positions: Array(positions), messageID: "\(name)-\(orders)", askedAt: now)
    }

    /// Takes the answers to an order, one for each position.
    ///
    /// - Returns: what is to be told, and the ids of leases that nobody wants any more.
    mutating func answered(
        _ order: Order, _ results: [Result<TokenReply, MessageError>], at now: Instant, share: Double
    ) -> (updates: Updates, unwanted: [String]) {
        unanswered = nil
        var updates: Updates = []
        var unwanted: [String] = []
        for (position, result) in zip(order.positions, results) {
            switch result {
            case .success(let reply) where holdings[position].isEnded: unwanted += reply.leaseID.map { [$0] } ?? []
            case .success(let reply):
                updates.append((position, holdings[position].take(reply, askedAt: order.askedAt, share: share)))
            case .failure(let error):
                guard !holdings[position].isEnded else { continue }
                let update = holdings[position].refuse(error, at: now, share: share)
                if let update { updates.append((position, update)) }
            }
        }
        return (updates, unwanted)
    }

    /// Takes the reason why an order has no answers.
    mutating func failed(_ order: Order, _ error: ClientError, at now: Instant, share: Double) -> Updates {
        if case .refused(let reason) = error {
            return answered(
                order, Array(repeating: .failure(reason), count: order.positions.count), at: now, share: share
            ).updates
        }
        unanswered = order
        return order.positions.compactMap { position in
            guard !holdings[position].isEnded else { return nil }
            return holdings[position].fail(error, at: now, share: share).map { (position, $0) }
        }
    }

    /// Takes a notice; one of a token that has been replaced says nothing.
    mutating func heard(_ notice: Notice, at now: Instant) -> Updates {
        var updates: Updates = []
        for position in holdings.indices where !holdings[position].isEnded {
            guard let token = holdings[position].token, token.leaseID == notice.leaseID,
                notice.generation >= token.generation ?? 0
            else { continue }
            switch notice.kind {
            case .willExpire: holdings[position].hurry(asking: false, at: now)
            case .expired: holdings[position].hurry(asking: true, at: now)
            case .cancelled:
                let reason = MessageError(.leaseCancelled, "the lease \(notice.leaseID) was cancelled")
                if let update = holdings[position].end(.refused(reason)) { updates.append((position, update)) }
            case .renewed, .renewalFailed: break
            }
        }
        return updates
    }

    /// Ends what is kept at a position.
    ///
    /// - Returns: what is to be told, and the lease that is to be cancelled, where there is one.
    mutating func end(_ position: Int, _ error: ClientError? = nil) -> (update: KeptTokenUpdate?, leaseID: String?) {
        let update = holdings[position].end(error)
        return (update, update == nil ? nil : holdings[position].token?.leaseID)
    }
}
