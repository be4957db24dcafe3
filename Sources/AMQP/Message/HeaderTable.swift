// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Named values in the order in which they travel.
public struct HeaderTable: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// A name with its value.
    public struct Entry: Sendable, Hashable {
        /// The name, at most 255 bytes.
        public let name: String
        /// The value.
        public let value: FieldValue

        /// Creates an entry.
        ///
        /// - Parameters:
        ///   - name: the name, at most 255 bytes.
        ///   - value: the value.
        public init(name: String, value: FieldValue) {
            self.name = name
            self.value = value
        }
    }

    /// The entries in order.
    public var entries: [Entry]

    /// Creates a table.
    ///
    /// - Parameter entries: the entries in order.
    public init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// Creates a table from a literal, in its order.
    ///
    /// - Parameter elements: names with their values.
    public init(dictionaryLiteral elements: (String, FieldValue)...) {
        self.entries = elements.map { Entry(name: $0.0, value: $0.1) }
    }

    /// Whether the table has no entries.
    public var isEmpty: Bool { entries.isEmpty }

    /// The first value of a name.
    public subscript(name: String) -> FieldValue? {
        entries.first { $0.name == name }?.value
    }
}
