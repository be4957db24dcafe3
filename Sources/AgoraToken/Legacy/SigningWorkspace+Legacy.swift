// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension SigningWorkspace {
    /// Packs what a legacy token says in the clear.
    func legacyMessage(_ token: LegacyToken) throws(TokenError) -> [UInt8] {
        var writer = PayloadWriter(buffer, at: 0)
        writer.write(token.salt)
        writer.write(token.expiresAt)
        try writer.write(token.privileges)
        // The message is itself packed with a 16-bit count.
        _ = try PayloadWriter.count(writer.position, field: "privilege map")
        return buffer.array(writer.position)
    }

    /// The signature of a legacy token, whose key is the certificate.
    func legacySignature(
        _ message: [UInt8], appID: AppID, channel: String, account: String, certificate: AppCertificate
    ) throws(TokenError) -> [UInt8] {
        var writer = PayloadWriter(buffer, at: 0)
        writer.append(appID.characters)
        writer.append(channel.utf8.span)
        writer.append(account.utf8.span)
        writer.append(message.span)
        guard writer.position <= Deflater.maximumCount else {
            throw .payloadTooLarge(bytes: writer.position)
        }
        return HMAC.code(
            key: SHA256State(certificate.characters), message: buffer, from: 0, to: writer.position
        ).digest
    }
}
