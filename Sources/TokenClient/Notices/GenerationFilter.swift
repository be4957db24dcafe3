// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

/// Lets each notice through once, and none for a token that has been replaced.
///
/// Notices arrive at least once, and one that was on its way when its lease was renewed still comes. The filter
/// remembers the newest generation of the leases that were heard of last.
struct GenerationFilter: Sendable {
    private struct Memory {
        var generation: Int64
        var seen: [String]
    }

    private let capacity: Int
    private var leases: [String: Memory] = [:]
    private var order: [String] = []

    /// Remembers at most `capacity` leases.
    init(capacity: Int = 10_000) { self.capacity = capacity }

    /// Whether a notice says something new.
    mutating func admits(_ notice: Notice) -> Bool {
        let known = leases[notice.leaseID]
        if let known, notice.generation < known.generation { return false }
        if let known, notice.generation == known.generation {
            guard !known.seen.contains(notice.id) else { return false }
            leases[notice.leaseID]?.seen.append(notice.id)
            return true
        }
        remember(notice.leaseID, Memory(generation: notice.generation, seen: [notice.id]), isNew: known == nil)
        return true
    }

    /// Notes a token that its holder has.
    mutating func holds(leaseID: String, generation: Int64) {
        let known = leases[leaseID]
        guard known.map({ $0.generation < generation }) ?? true else { return }
        remember(leaseID, Memory(generation: generation, seen: []), isNew: known == nil)
    }

    private mutating func remember(_ leaseID: String, _ memory: Memory, isNew: Bool) {
        leases[leaseID] = memory
        guard isNew else { return }
        order.append(leaseID)
        guard order.count > 2 * capacity || leases.count > capacity else { return }
        let surplus = order.count - capacity
        for forgotten in order.prefix(surplus) { leases[forgotten] = nil }
        order.removeFirst(surplus)
    }
}
