// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// The last requests that a lease has answered, newest first: what recognises repeats.
struct RequestHistory: Sendable, Hashable {
    /// How many are remembered.
    static let capacity = 8

    /// One request.
    struct Entry: Sendable, Hashable {
        var id: Key
        var body: Key
    }

    private(set) var entries: [Entry]

    /// A history of these requests, newest first.
    init(entries: [Entry] = []) { self.entries = entries }

    /// What the history knows of a request.
    enum Finding: Hashable {
        /// It was not seen, or too long ago.
        case new
        /// It made the present generation.
        case current
        /// It made an earlier one.
        case earlier
        /// It was seen with another body.
        case conflict
    }

    /// Looks a request up.
    func find(_ mark: RequestMark) -> Finding {
        guard mark.isCompared else { return .new }
        for (index, entry) in entries.enumerated() where entry.id == mark.id {
            guard entry.body == mark.body else { return .conflict }
            return index == 0 ? .current : .earlier
        }
        return .new
    }

    /// Remembers the request that makes the next generation.
    mutating func add(_ mark: RequestMark) {
        if entries.count == Self.capacity { entries.removeLast() }
        entries.insert(Entry(id: mark.id, body: mark.body), at: 0)
    }
}
