// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// First in, first out, without moving what remains: a batch stays as it came until all of it has gone.
struct WaitingLine<Element> {
    private var batches: [ArraySlice<Element>] = []
    private var firstBatch = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ batch: ArraySlice<Element>) {
        guard !batch.isEmpty else { return }
        batches.append(batch)
        count += batch.count
    }

    mutating func popFirst() -> Element? {
        guard firstBatch < batches.count, let element = batches[firstBatch].popFirst() else { return nil }
        count -= 1
        if batches[firstBatch].isEmpty { removeFirstBatch() }
        return element
    }

    private mutating func removeFirstBatch() {
        batches[firstBatch] = []
        firstBatch += 1
        guard firstBatch == batches.count else { return }
        batches.removeAll(keepingCapacity: firstBatch <= 64)
        firstBatch = 0
    }
}
