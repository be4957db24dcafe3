// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// An AccessToken2 ("007") as read from its text, with the bytes that its signature covers.
public struct ParsedToken: Sendable, Hashable {
    /// The project.
    public let appID: AppID
    /// When the token begins, in seconds since 1970.
    public let issuedAt: UInt32
    /// How long it lasts, in seconds after ``issuedAt``.
    public let lifetime: UInt32
    /// The number that makes two otherwise equal tokens differ.
    public let salt: UInt32
    /// The services that could be read, in their order.
    public let services: [Service]
    /// The number of the first service that this library does not know.
    ///
    /// What follows it could not be read; the signature can still be checked.
    public let unknownServiceType: UInt16?

    /// The 32 bytes of the signature.
    let signature: [UInt8]
    /// The bytes that were signed, as they came.
    let signingInfo: [UInt8]

    /// The second at which the whole token runs out, in seconds since 1970.
    public var expiresAt: UInt64 {
        UInt64(issuedAt) + UInt64(lifetime)
    }

    /// Whether the token was signed with `certificate`.
    ///
    /// The check covers the bytes as they came, and takes the same time wherever the first difference is. It says
    /// nothing about expiry.
    public func isSigned(by certificate: AppCertificate) -> Bool {
        let expected = SigningPool.withWorkspace { workspace in
            workspace.signature(of: signingInfo, issuedAt: issuedAt, salt: salt, certificate).digest
        }
        return SHA256.isEqual(expected, signature)
    }
}

extension AccessToken {
    /// Reads a token of version 007 in any compression.
    ///
    /// Nothing is verified: ask the result.
    ///
    /// - Parameter text: The token, beginning with `007`.
    /// - Returns: What it says.
    /// - Throws: A ``TokenError`` that says what is wrong with the text; never traps, whatever the text.
    public static func parse(_ text: String) throws(TokenError) -> ParsedToken {
        let version = try TokenVersion(text)
        guard version == .current else { throw .unsupportedVersion(version.rawValue) }
        let characters = Array(text.utf8)[3...]
        guard characters.count <= TokenVersion.longestText else { throw .inflatedTooLarge }
        guard let compressed = Base64.decode(characters) else { throw .invalidBase64 }
        return try ParsedToken(payload: try Zlib.inflate(compressed))
    }
}

extension ParsedToken {
    /// Reads the inflated body of a token.
    init(payload: [UInt8]) throws(TokenError) {
        var reader = PayloadReader(payload[...])
        signature = try reader.signature()
        signingInfo = Array(reader.rest)
        guard let appID = try? AppID(try reader.string(field: "appId")) else {
            throw .malformed(field: "appId", reason: "it is not 32 hexadecimal characters")
        }
        self.appID = appID
        issuedAt = try reader.uint32(field: "issue time")
        lifetime = try reader.uint32(field: "lifetime")
        salt = try reader.uint32(field: "salt")
        var services: [Service] = []
        var unknown: UInt16?
        reading: for _ in 0..<(try reader.uint16(field: "service count")) {
            switch try reader.service() {
            case .success(let service):
                services.append(service)
            case .failure(let service):
                unknown = service.type
                break reading
            }
        }
        self.services = services
        unknownServiceType = unknown
    }
}
