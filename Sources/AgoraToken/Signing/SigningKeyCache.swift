// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Remembers the first key of a signature, which all tokens of one project and one second share.
struct SigningKeyCache {
    private struct Entry {
        var certificate: HexText
        var issuedAt: UInt32
        var key: SHA256State
    }

    /// A place for each of a few projects and seconds; two that fall into the same only lose the saving.
    private var entries: [Entry?] = Array(repeating: nil, count: 8)

    /// HMAC(key: issue time, message: certificate).
    mutating func key(_ certificate: AppCertificate, issuedAt: UInt32) -> SHA256State {
        let characters = certificate.characters
        let mixed = (characters.words[0] ^ UInt64(issuedAt)) &* 0x9e37_79b9_7f4a_7c15
        let place = Int(truncatingIfNeeded: mixed &>> 61)
        if let entry = entries[place], entry.issuedAt == issuedAt, entry.certificate == characters {
            return entry.key
        }
        let key = HMAC.code(key: SHA256State(littleEndianKey: issuedAt), message: SHA256State(characters))
        entries[place] = Entry(certificate: characters, issuedAt: issuedAt, key: key)
        return key
    }
}
