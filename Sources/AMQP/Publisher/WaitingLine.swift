// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// First in, first out, without moving what remains.
struct WaitingLine<Element> {
    private var elements: [Element?] = []
    private var first = 0

    var count: Int { elements.count - first }
    var isEmpty: Bool { first == elements.count }

    mutating func append(_ new: some Sequence<Element>) {
        for element in new { elements.append(element) }
    }

    mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first]
        elements[first] = nil
        first += 1
        if first == elements.count {
            elements.removeAll(keepingCapacity: first <= 4096)
            first = 0
        }
        return element
    }
}
