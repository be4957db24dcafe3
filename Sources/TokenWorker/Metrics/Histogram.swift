// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How often values fell between bounds, and their sum.
package struct Histogram: Sendable, Hashable {
    /// The greatest value of each bucket but the last, growing.
    let bounds: [Double]
    /// How many values fell into each bucket; the last takes what is greater than all bounds.
    private(set) var counts: [UInt64]
    private(set) var sum = 0.0

    /// Counts nothing yet.
    package init(_ bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// How many values there were.
    var count: UInt64 { counts.reduce(0, +) }

    /// Takes a value, `times` over.
    package mutating func observe(_ value: Double, times: UInt64 = 1) {
        var bucket = 0
        while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
        counts[bucket] += times
        sum += value * Double(times)
    }

    /// Adds what another histogram of the same bounds has taken.
    mutating func add(_ other: Histogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        sum += other.sum
    }

    /// Forgets everything, for the next batch.
    mutating func reset() {
        for index in counts.indices { counts[index] = 0 }
        sum = 0
    }
}

extension Histogram {
    /// Seconds that a message waited in its queue.
    static var waits: Histogram {
        Histogram([0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600])
    }
    /// Seconds from the coming up of a message, or a gateway's request, to its answer's going out.
    package static var processing: Histogram {
        Histogram([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])
    }
    /// Seconds of a transaction.
    static var commits: Histogram {
        Histogram([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5])
    }
    /// Seconds that a notice is behind its plan.
    static var lateness: Histogram { Histogram([0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600]) }
}
