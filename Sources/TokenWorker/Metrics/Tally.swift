// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Counts by label.
///
/// Few labels are in use at a time, and those that come often move to the front: looking through them costs less than
/// a hash, which matters once for each message.
package struct Tally<Label: Equatable & Sendable>: Sendable {
    /// One label's count.
    package struct Entry: Sendable {
        package let label: Label
        package var count: UInt64
    }

    package private(set) var entries: [Entry] = []

    /// Counts nothing yet.
    package init() {}

    /// Counts these from zero, so that a first increase is seen as one.
    package init(_ labels: some Sequence<Label>) { entries = labels.map { Entry(label: $0, count: 0) } }

    /// The count of a label.
    subscript(label: Label) -> UInt64 { entries.first { $0.label == label }?.count ?? 0 }

    /// All counts together.
    var total: UInt64 { entries.reduce(0) { $0 + $1.count } }

    /// Counts a label, `times` over.
    package mutating func add(_ label: Label, _ times: UInt64 = 1) {
        for index in entries.indices where entries[index].label == label {
            entries[index].count += times
            if index > 0 { entries.swapAt(index, index / 2) }
            return
        }
        entries.append(Entry(label: label, count: times))
    }

    /// Adds the counts of another tally.
    mutating func add(_ other: Tally) {
        for entry in other.entries { add(entry.label, entry.count) }
    }

    /// Forgets everything, for the next batch.
    mutating func reset() { entries.removeAll(keepingCapacity: true) }
}
