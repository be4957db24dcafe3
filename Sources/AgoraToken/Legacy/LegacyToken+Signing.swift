// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension LegacyToken {
    /// Signs the token.
    ///
    /// - Parameter certificate: The App Certificate of the project ``appID``.
    /// - Returns: The token as clients pass it on, beginning with `006`.
    /// - Throws: ``TokenError/tooLong(field:count:)`` when there are more than 65,535 privileges or when their map
    ///   does not fit; ``TokenError/payloadTooLarge(bytes:)`` when channel, account and privileges exceed 65,000 bytes.
    public func signed(with certificate: AppCertificate) throws(TokenError) -> String {
        let message = try SigningPool.withWorkspace { (workspace) throws(TokenError) in
            try workspace.legacyMessage(self)
        }
        let signature = try Self.signature(
            message, appID: appID, channel: channel, account: account, certificate: certificate)
        var content = Self.counted(signature)
        content += CRC32.hash(channel.utf8).littleEndianBytes
        content += CRC32.hash(account.utf8).littleEndianBytes
        content += Self.counted(message)
        return "006" + appID.description + Base64.encode(content)
    }

    /// The signature over the project, channel and account, and over the packed `message`.
    static func signature(
        _ message: [UInt8], appID: AppID, channel: String, account: String, certificate: AppCertificate
    ) throws(TokenError) -> [UInt8] {
        try SigningPool.withWorkspace { (workspace) throws(TokenError) in
            try workspace.legacySignature(
                message, appID: appID, channel: channel, account: account, certificate: certificate)
        }
    }

    private static func counted(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count), UInt8(truncatingIfNeeded: bytes.count &>> 8)] + bytes
    }
}

extension UInt32 {
    /// The four bytes, least significant first.
    var littleEndianBytes: [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: self &>> UInt32(8 * $0)) }
    }
}
