// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The names of one object, to find a second of the same bytes.
///
/// Small objects are searched; from the sixteenth name on a set keeps hostile bodies from costing quadratic time.
struct JSONNames {
    private static let searched = 16
    private var hashed: Set<Bytes> = []

    /// Adds a name.
    ///
    /// - Parameters:
    ///   - name: the new name.
    ///   - members: the members before it.
    /// - Returns: whether it was new.
    mutating func insert(_ name: String, beside members: [JSONMember]) -> Bool {
        if members.count < Self.searched {
            return !members.indices.contains {
                members[$0].name == name && members[$0].name.utf8.elementsEqual(name.utf8)
            }
        }
        if hashed.isEmpty { hashed = Set(members.map { Bytes(text: $0.name) }) }
        return hashed.insert(Bytes(text: name)).inserted
    }

    /// A string compared by its bytes: `String` itself takes canonically equivalent texts for equal, JSON does not.
    private struct Bytes: Hashable {
        let text: String

        static func == (a: Bytes, b: Bytes) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

        func hash(into hasher: inout Hasher) {
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}
