// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The format of a token, which its first three characters name.
public enum TokenVersion: String, Sendable, Hashable, CaseIterable {
    /// AccessToken2, see ``AccessToken``.
    case current = "007"
    /// The format before, see ``LegacyToken``.
    case legacy = "006"

    /// The most characters that are looked at: 64 KiB do not need more even if they do not compress.
    static let longestText = 90_000

    /// Reads the version of a token.
    ///
    /// - Parameter text: A token.
    /// - Throws: ``TokenError/notAToken(length:)`` when the text does not begin with three digits;
    ///   ``TokenError/unsupportedVersion(_:)`` when they are others than 007 or 006.
    public init(_ text: String) throws(TokenError) {
        let prefix = text.utf8.prefix(3)
        guard prefix.count == 3, prefix.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw .notAToken(length: text.utf8.count)
        }
        let digits = String(decoding: prefix, as: UTF8.self)
        guard let version = TokenVersion(rawValue: digits) else { throw .unsupportedVersion(digits) }
        self = version
    }
}
