// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A legacy AccessToken ("006") as read from its text.
public struct ParsedLegacyToken: Sendable, Hashable {
    /// The project.
    public let appID: AppID
    /// When the token runs out, in seconds since 1970.
    public let expiresAt: UInt32
    /// The number that makes two otherwise equal tokens differ.
    public let salt: UInt32
    /// Until when each privilege is granted, in seconds since 1970, or 0 for as long as the token.
    public let privileges: Privileges
    /// The CRC-32 of the channel name.
    public let channelChecksum: UInt32
    /// The CRC-32 of the account.
    public let accountChecksum: UInt32

    /// The 32 bytes of the signature.
    let signature: [UInt8]
    /// The packed part of what was signed, as it came.
    let message: [UInt8]

    /// Whether the token's checksum is that of `channel`.
    public func isFor(channel: String) -> Bool {
        CRC32.hash(channel.utf8) == channelChecksum
    }

    /// Whether the token's checksum is that of `account`, the digits of a uid, or nothing for any user.
    public func isFor(account: String) -> Bool {
        CRC32.hash(account.utf8) == accountChecksum
    }

    /// Whether the token was signed with `certificate` for `channel` and `account`.
    ///
    /// The check takes the same time wherever the first difference is, and says nothing about expiry.
    public func isSigned(by certificate: AppCertificate, channel: String, account: String) -> Bool {
        guard isFor(channel: channel), isFor(account: account),
            let expected = try? LegacyToken.signature(
                message, appID: appID, channel: channel, account: account, certificate: certificate)
        else { return false }
        return SHA256.isEqual(expected, signature)
    }
}

extension LegacyToken {
    /// Reads a token of version 006.
    ///
    /// Nothing is verified: ask the result.
    ///
    /// - Parameter text: The token, beginning with `006`.
    /// - Returns: What it says.
    /// - Throws: A ``TokenError`` that says what is wrong with the text; never traps, whatever the text.
    public static func parse(_ text: String) throws(TokenError) -> ParsedLegacyToken {
        let version = try TokenVersion(text)
        guard version == .legacy else { throw .unsupportedVersion(version.rawValue) }
        let characters = Array(text.utf8)[3...]
        guard characters.count >= HexText.count else { throw .truncated(field: "appId") }
        guard let appID = try? AppID(String(decoding: characters.prefix(HexText.count), as: UTF8.self)) else {
            throw .malformed(field: "appId", reason: "it is not 32 hexadecimal characters")
        }
        guard characters.count <= TokenVersion.longestText else { throw .inflatedTooLarge }
        guard let content = Base64.decode(characters.dropFirst(HexText.count)) else { throw .invalidBase64 }
        return try ParsedLegacyToken(appID: appID, content: content)
    }
}

extension ParsedLegacyToken {
    init(appID: AppID, content: [UInt8]) throws(TokenError) {
        self.appID = appID
        var reader = PayloadReader(content[...])
        signature = try reader.signature()
        channelChecksum = try reader.uint32(field: "channel checksum")
        accountChecksum = try reader.uint32(field: "account checksum")
        message = Array(try reader.counted(field: "message"))
        var inner = PayloadReader(message[...])
        salt = try inner.uint32(field: "salt")
        expiresAt = try inner.uint32(field: "expiry time")
        privileges = try inner.privileges()
    }
}
