// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What is left of the permissions of those that a rate limits, each by its name.
///
/// Their number is bounded, though names come from strangers: a bucket that is full again is as good as none, and
/// those that find no room share one.
struct RateBuckets: Sendable {
    /// The most names that have a bucket each.
    static let most = 10_000

    /// Milliseconds between two searches for full buckets.
    private static let clearingInterval: Int64 = 1000

    /// Who is limited, by which rule.
    struct Name: Sendable, Hashable {
        let rule: String
        let caller: String
    }

    private struct Bucket: Sendable {
        var left: Double
        /// When it was so, in milliseconds since 1970.
        var at: Int64
        /// When it will be full again.
        var fullAt: Int64
    }

    private var buckets: [Name: Bucket] = [:]
    /// What to give back should the batch be tried again.
    private var taken: [(name: Name, rate: Rate)] = []
    /// The items of the batch that have been paid for.
    private var paid: Set<Int> = []
    private let most: Int
    /// Not before this time, in milliseconds since 1970, are full buckets looked for again, since all are looked at.
    private var nextClearing: Int64 = 0

    init(most: Int = RateBuckets.most) { self.most = most }

    /// How many buckets there are.
    var count: Int { buckets.count }

    /// Takes one permission.
    ///
    /// - Parameters:
    ///   - name: whose.
    ///   - rate: how fast its bucket fills.
    ///   - now: milliseconds since 1970. A clock that is set back gives nothing, and takes nothing away.
    ///   - item: what it is for, as far as that may be asked about again in the same batch.
    /// - Returns: nil when there was one; else milliseconds, at least 1, until there is.
    mutating func take(_ name: Name, _ rate: Rate, at now: Int64, for item: Int? = nil) -> Int64? {
        if let item, paid.contains(item) { return nil }
        let name = place(of: name, at: now)
        var bucket = buckets[name] ?? Bucket(left: rate.burst, at: now, fullAt: now)
        let passed = Double(max(0, now &- bucket.at)) / 1000
        bucket.left = min(rate.burst, bucket.left + passed * rate.perSecond)
        bucket.at = now
        let wait: Int64?
        if bucket.left >= 1 - Self.rounding {
            bucket.left = max(0, bucket.left - 1)
            taken.append((name, rate))
            if let item { paid.insert(item) }
            wait = nil
        } else {
            wait = max(1, Self.milliseconds((1 - bucket.left) / rate.perSecond))
        }
        bucket.fullAt = now &+ Self.milliseconds((rate.burst - bucket.left) / rate.perSecond)
        buckets[name] = bucket
        return wait
    }

    /// Begins a batch.
    ///
    /// Where that is the last one again, as after an outage of the store, what it took is given back first.
    mutating func begin(again: Bool) {
        if again {
            for (name, rate) in taken {
                if let left = buckets[name]?.left { buckets[name]?.left = min(rate.burst, left + 1) }
            }
        }
        taken.removeAll(keepingCapacity: true)
        paid.removeAll(keepingCapacity: true)
    }

    /// The bucket of a name: its own while there is room.
    private mutating func place(of name: Name, at now: Int64) -> Name {
        guard buckets[name] == nil, buckets.count >= most else { return name }
        if now >= nextClearing || nextClearing > now &+ Self.clearingInterval {
            buckets = buckets.filter { $0.value.fullAt > now }
            nextClearing = now &+ Self.clearingInterval
        }
        // One for each rule at most, which the configuration bounds.
        return buckets.count < most ? name : Name(rule: name.rule, caller: "")
    }

    /// What sums of parts may lack of a whole.
    private static let rounding = 1e-6

    private static func milliseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1000 - rounding).rounded(.up)) }
}
