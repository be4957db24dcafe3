// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The App Certificate of an Agora project, the secret that its tokens are signed with.
///
/// Printing or interpolating a certificate never shows it.
public struct AppCertificate: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let characters: HexText

    /// Reads an App Certificate.
    ///
    /// - Parameter text: 32 hexadecimal characters of either case. The case is kept, because it is signed.
    /// - Throws: ``TokenError/invalidAppCertificate(length:)`` for anything else.
    public init(_ text: String) throws(TokenError) {
        guard let characters = HexText(text) else {
            throw .invalidAppCertificate(length: text.utf8.count)
        }
        self.characters = characters
    }

    /// A placeholder, never the secret.
    public var description: String {
        "<redacted>"
    }

    /// A placeholder, never the secret.
    public var debugDescription: String {
        description
    }

    /// A mirror without children, so that `dump` shows no secret either.
    public var customMirror: Mirror {
        Mirror(self, children: [])
    }

    /// Names the certificate without giving it away: the first 8 bytes of its SHA-256, as 16 hexadecimal digits.
    package var fingerprint: String {
        Hex.encode(SHA256.hash(characters.bytes).prefix(8))
    }
}
