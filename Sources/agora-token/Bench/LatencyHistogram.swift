// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Counts latencies in classes that are at most 1.6 % wide, so that percentiles of any number of them need little
/// memory.
struct LatencyHistogram: Sendable, Hashable {
    /// Classes for each doubling; those of values below it hold one value each.
    private static let classes: UInt64 = 64

    private var counts = [Int](repeating: 0, count: 64 * 40)
    /// How many values were added.
    private(set) var count = 0
    /// The largest value, exactly, in microseconds.
    private(set) var maximum: UInt64 = 0

    /// Adds a value in microseconds; anything above some weeks counts as the longest.
    mutating func add(_ microseconds: UInt64) {
        counts[min(Self.index(of: microseconds), counts.count - 1)] += 1
        count += 1
        maximum = max(maximum, microseconds)
    }

    /// The value that a share of all values is at or below.
    ///
    /// - Parameter share: the share, from 0 to 1.
    /// - Returns: the upper end of its class in microseconds; 0 when there are no values.
    func percentile(_ share: Double) -> UInt64 {
        let rank = max(1, Int((Double(count) * share).rounded(.up)))
        var sum = 0
        for index in counts.indices {
            sum += counts[index]
            if sum >= rank { return min(Self.upperEnd(of: index), maximum) }
        }
        return maximum
    }

    private static func index(of value: UInt64) -> Int {
        guard value >= classes else { return Int(value) }
        // The six bits after the highest one choose the class within its doubling.
        let doubling = 63 - value.leadingZeroBitCount - 6
        return (doubling + 1) * Int(classes) + Int((value >> UInt64(doubling)) - classes)
    }

    private static func upperEnd(of index: Int) -> UInt64 {
        guard index >= Int(classes) else { return UInt64(index) }
        let doubling = UInt64(index) / classes - 1
        return ((classes + UInt64(index) % classes + 1) << doubling) - 1
    }
}
