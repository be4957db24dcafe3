// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Why a store could not do what it was asked.
package enum StoreError: Error, Sendable, Hashable {
    /// The store is away, locked or broken; the same call may succeed later. The text is the database's own.
    case unavailable(String)
    /// The database refuses a value; the same call will never succeed. The text is the database's own.
    case rejected(String)
    /// The tables are of another version than this program's.
    case schema(found: Int, expected: Int)
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unavailable(let text): "the lease store is unavailable: \(text)"
        case .rejected(let text): "the lease store rejects a value: \(text)"
        case .schema(let found, let expected) where found > expected:
            "the lease store has schema version \(found), newer than \(expected), which this program knows"
        case .schema(let found, let expected):
            "the lease store has schema version \(found); version \(expected) is needed: run `agora-token store migrate`"
        }
    }
}
