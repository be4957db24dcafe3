// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Why a token could not be made or read.
///
/// No description contains a token or a certificate.
public enum TokenError: Error, Sendable, Hashable {
    /// An App ID is not 32 hexadecimal characters; `length` is its length in bytes.
    case invalidAppID(length: Int)
    /// An App Certificate is not 32 hexadecimal characters; `length` is its length in bytes.
    case invalidAppCertificate(length: Int)
    /// A token must have at least one service.
    case noService
    /// A field holds more elements or bytes than its 16-bit count can say.
    case tooLong(field: String, count: Int)
    /// The packed token would exceed 65,000 bytes.
    case payloadTooLarge(bytes: Int)
    /// The text does not begin with a token version; `length` is its length in bytes.
    case notAToken(length: Int)
    /// The text begins with another version than 007 or 006.
    case unsupportedVersion(String)
    /// What follows the version is not padded base64.
    case invalidBase64
    /// The compressed body is not a zlib stream; `reason` says what is wrong with it.
    case invalidCompression(reason: String)
    /// The body would inflate to more than 64 KiB.
    case inflatedTooLarge
    /// The body ends in the middle of `field`.
    case truncated(field: String)
    /// `field` is not what it has to be.
    case malformed(field: String, reason: String)
}

extension TokenError: CustomStringConvertible {
    /// One sentence: what is wrong, and what would be right.
    public var description: String {
        switch self {
        case .invalidAppID(let length):
            "the App ID must be 32 hexadecimal characters; this one has \(length) bytes"
                + (length == HexText.count ? ", not all of them hexadecimal" : "")
        case .invalidAppCertificate(let length):
            "the App Certificate must be 32 hexadecimal characters; this one has \(length) bytes"
                + (length == HexText.count ? ", not all of them hexadecimal" : "")
        case .noService:
            "a token must have at least one service"
        case .tooLong(let field, let count):
            "\(field) is too long (\(count)); a token can hold at most 65535"
        case .payloadTooLarge(let bytes):
            "the packed token has \(bytes) bytes; at most 65000 can be signed"
        case .notAToken(let length):
            "not an Agora token: \(length) bytes that do not begin with 007 or 006"
        case .unsupportedVersion(let version):
            "token version \(version) is not supported here"
        case .invalidBase64:
            "what follows the version is not base64; the token was probably cut, escaped or altered on its way"
        case .invalidCompression(let reason):
            "the body of the token does not inflate: \(reason)"
        case .inflatedTooLarge:
            "the body of the token inflates to more than 65536 bytes; no real token does"
        case .truncated(let field):
            "the token ends in the middle of its \(field)"
        case .malformed(let field, let reason):
            "the \(field) of the token is malformed: \(reason)"
        }
    }
}
