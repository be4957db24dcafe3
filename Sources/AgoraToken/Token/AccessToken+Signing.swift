// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension AccessToken {
    /// The most bytes that the packed token may have before compression.
    static let maximumPayload = 65_000

    /// Signs the token.
    ///
    /// - Parameters:
    ///   - certificate: The App Certificate of the project ``appID``.
    ///   - compression: How to write the body; by default as the official builders do, byte for byte.
    /// - Returns: The token as clients pass it on, beginning with `007`.
    /// - Throws: ``TokenError/noService``; ``TokenError/tooLong(field:count:)`` when a string, list or map exceeds
    ///   65,535 entries; ``TokenError/payloadTooLarge(bytes:)``.
    public func signed(
        with certificate: AppCertificate, compression: Compression = .identical
    ) throws(TokenError) -> String {
        guard !services.isEmpty else { throw .noService }
        var info = PayloadWriter()
        try info.write(self)
        let signature = Self.signature(of: info.bytes, issuedAt: issuedAt, salt: salt, certificate: certificate)
        var payload = PayloadWriter()
        payload.write(UInt16(signature.count))
        payload.bytes += signature
        payload.bytes += info.bytes
        guard payload.bytes.count <= Self.maximumPayload else {
            throw .payloadTooLarge(bytes: payload.bytes.count)
        }
        return "007" + Base64.encode(try Zlib.deflate(payload.bytes))
    }

    /// The signature over `info`: the issue time and the salt are the keys, the certificate the first message.
    static func signature(
        of info: [UInt8], issuedAt: UInt32, salt: UInt32, certificate: AppCertificate
    ) -> [UInt8] {
        let first = HMAC.code(key: issuedAt.littleEndianBytes, message: certificate.characters.bytes)
        let second = HMAC.code(key: salt.littleEndianBytes, message: first)
        return HMAC.code(key: second, message: info)
    }
}

extension UInt32 {
    /// The four bytes, least significant first.
    var littleEndianBytes: [UInt8] {
        [
            UInt8(truncatingIfNeeded: self), UInt8(truncatingIfNeeded: self &>> 8),
            UInt8(truncatingIfNeeded: self &>> 16), UInt8(truncatingIfNeeded: self &>> 24),
        ]
    }
}
