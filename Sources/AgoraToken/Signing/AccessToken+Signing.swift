// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension AccessToken {
    /// Signs the token.
    ///
    /// - Parameters:
    ///   - certificate: The App Certificate of the project ``appID``.
    ///   - compression: How to write the body; by default as the official builders do, byte for byte.
    /// - Returns: The token as clients pass it on, beginning with `007`.
    /// - Throws: ``TokenError/noService``; ``TokenError/tooLong(field:count:)`` when a string, list or map exceeds
    ///   65,535 entries; ``TokenError/payloadTooLarge(bytes:)`` when all of it exceeds 65,000 bytes.
    public func signed(
        with certificate: AppCertificate, compression: Compression = .identical
    ) throws(TokenError) -> String {
        guard !services.isEmpty else { throw .noService }
        return try SigningPool.withWorkspace { (workspace) throws(TokenError) in
            try workspace.sign(self, with: certificate, compression)
        }
    }
}
