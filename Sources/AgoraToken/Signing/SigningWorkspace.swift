// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What signing needs beside the token: the buffers, half a megabyte, and the keys of the current second.
struct SigningWorkspace: ~Copyable {
    /// The signature with its count comes before what it covers.
    private static let signatureSize = 2 + SHA256.digestCount

    private var deflater = Deflater()
    private var keys = SigningKeyCache()
    private let encoder = TokenEncoder()

    init() {}

    /// Scratch space, free between calls.
    var buffer: Bytes {
        deflater.input
    }

    /// Packs, signs, compresses and encodes `token`.
    mutating func sign(
        _ token: AccessToken, with certificate: AppCertificate, _ compression: Compression
    ) throws(TokenError) -> String {
        let payload = deflater.input
        var writer = PayloadWriter(payload, at: Self.signatureSize)
        try writer.write(token)
        let end = writer.position
        guard end <= Deflater.maximumCount else { throw .payloadTooLarge(bytes: end) }
        let signature = signature(
            payload, from: Self.signatureSize, to: end, issuedAt: token.issuedAt, salt: token.salt, certificate)
        payload.store(UInt16(SHA256.digestCount), at: 0)
        signature.store(to: payload, at: 2)
        let count =
            switch compression {
            case .identical: deflater.deflate(end)
            case .stored: deflater.store(end)
            }
        return encoder.text(deflater.output, count: count, scratch: payload)
    }

    /// The zlib stream of at most 65,000 bytes.
    mutating func deflate(_ bytes: [UInt8]) -> [UInt8] {
        deflater.input.store(bytes.span, at: 0)
        return deflater.output.array(deflater.deflate(bytes.count))
    }

    /// The signature over `info`, what a token says after its own signature.
    mutating func signature(
        of info: [UInt8], issuedAt: UInt32, salt: UInt32, _ certificate: AppCertificate
    ) -> SHA256State {
        deflater.input.store(info.span, at: 0)
        return signature(
            deflater.input, from: 0, to: info.count, issuedAt: issuedAt, salt: salt, certificate)
    }

    /// The issue time and then the salt are keys, and the certificate is the first message.
    private mutating func signature(
        _ payload: Bytes, from start: Int, to end: Int, issuedAt: UInt32, salt: UInt32,
        _ certificate: AppCertificate
    ) -> SHA256State {
        let first = keys.key(certificate, issuedAt: issuedAt)
        let second = HMAC.code(key: SHA256State(littleEndianKey: salt), message: first)
        return HMAC.code(key: second, message: payload, from: start, to: end)
    }
}
