// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The App ID of an Agora project: 32 hexadecimal characters, in the case in which Agora shows them.
public struct AppID: Sendable, Hashable, CustomStringConvertible {
    let characters: HexText

    /// Reads an App ID.
    ///
    /// - Parameter text: 32 hexadecimal characters of either case. The case is kept, because it is signed.
    /// - Throws: ``TokenError/invalidAppID(length:)`` for anything else.
    public init(_ text: String) throws(TokenError) {
        guard let characters = HexText(text) else {
            throw .invalidAppID(length: text.utf8.count)
        }
        self.characters = characters
    }

    /// The 32 characters.
    public var description: String {
        characters.text
    }
}
