// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP

/// The deliveries that the issuer has and has not answered, and which of them come next.
///
/// Most come as one batch. One that was delivered several times without an answer may be what its workers die of, and
/// would take its neighbours along each time, until all of them had been delivered too often. So these suspects come
/// one at a time and in random order: the innocent are answered before the next crash, sooner or later, and the guilty
/// one is left.
struct HeldDeliveries: Sendable {
    /// How many earlier deliveries make a suspect.
    static var suspicion: Int64 { 3 }
    /// The pause between two suspects, in which the first is confirmed and acknowledged.
    static var pause: Duration { .milliseconds(10) }

    private var others: [Delivery] = []
    private var suspects: [Delivery] = []
    private var suspectDue: ContinuousClock.Instant?

    /// Whether there is nothing to answer.
    var isEmpty: Bool { others.isEmpty && suspects.isEmpty }

    /// Takes what has arrived.
    mutating func add(_ deliveries: [Delivery]) {
        guard deliveries.contains(where: Self.isSuspect) else {
            // A batch is taken over without a copy of each.
            if others.isEmpty { others = deliveries } else { others += deliveries }
            return
        }
        others += deliveries.filter { !Self.isSuspect($0) }
        suspects += deliveries.filter(Self.isSuspect)
        suspects.shuffle()
    }

    /// What is to be answered now, together.
    func next(_ now: ContinuousClock.Instant) -> [Delivery] {
        if let suspect = suspects.last, suspectDue.map({ $0 <= now }) ?? true { return [suspect] }
        return others
    }

    /// Forgets what ``next(_:)`` gave at the same moment.
    mutating func remove(_ now: ContinuousClock.Instant) {
        if !suspects.isEmpty, suspectDue.map({ $0 <= now }) ?? true {
            suspects.removeLast()
            suspectDue = now.advanced(by: Self.pause)
        } else {
            others.removeAll(keepingCapacity: true)
        }
    }

    /// Forgets everything.
    mutating func removeAll() {
        others.removeAll()
        suspects.removeAll()
    }

    /// When ``next(_:)`` will have something; `nil` when there is nothing.
    func nextDue(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if !others.isEmpty { return now }
        return suspects.isEmpty ? nil : suspectDue ?? now
    }

    private static func isSuspect(_ delivery: Delivery) -> Bool { delivery.earlierDeliveries >= suspicion }
}

extension Delivery {
    /// How often the broker delivered it before, as far as it counts.
    ///
    /// Where it does not, as a classic queue does not, the header may be a stranger's: no number is too large to count on.
    var earlierDeliveries: Int64 {
        guard isRedelivered, let count = properties.headers["x-delivery-count"]?.integer else { return 0 }
        return min(max(count, 0), Self.mostDeliveries)
    }

    /// More deliveries than these are not told apart.
    static var mostDeliveries: Int64 { 1_000_000 }
}
