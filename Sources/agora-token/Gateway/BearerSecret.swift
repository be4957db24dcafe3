// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenWorker

/// The secret that clients of the gateway show, as `Authorization: Bearer SECRET`.
struct BearerSecret: Sendable {
    /// Fewer characters can be found by trying.
    static let shortest = 16

    private let bytes: [UInt8]

    /// Takes the secret of a setting.
    ///
    /// - Throws: ``ConfigurationError`` when it is too short, or cannot stand in a field of a request.
    init(_ value: SettingSources.Value) throws(ConfigurationError) {
        let bytes = Array(value.text.utf8)
        guard bytes.count >= Self.shortest else {
            throw ConfigurationError(
                value.origin, "the secret has \(bytes.count) characters; it must have at least \(Self.shortest)")
        }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ConfigurationError(
                value.origin, "the secret must be of letters, digits and signs of ASCII, without spaces")
        }
        self.bytes = bytes
    }

    /// Whether the values of a request's `Authorization` show it: exactly one does.
    func isShown(by values: [String]) -> Bool {
        guard values.count == 1 else { return false }
        let words = values[0].split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
        return isEqual(Array(words[1].utf8))
    }

    /// Compares in a time that depends on nothing but what is compared with it.
    private func isEqual(_ other: [UInt8]) -> Bool {
        var difference = UInt(bitPattern: other.count ^ bytes.count)
        for index in other.indices { difference |= UInt(other[index] ^ bytes[index % bytes.count]) }
        return difference == 0
    }
}
