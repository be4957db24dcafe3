// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// HMAC-SHA256 (RFC 2104).
package enum HMAC {
    /// The 32-byte code of `message` under `key`, which may have up to 64 bytes.
    package static func code(key: [UInt8], message: [UInt8]) -> [UInt8] {
        precondition(key.count <= 64, "longer keys would have to be hashed first; no token has one")
        let padded = key + Array(repeating: 0, count: 64 - key.count)
        var inner = SHA256()
        inner.update(padded.lazy.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = SHA256()
        outer.update(padded.lazy.map { $0 ^ 0x5c })
        outer.update(inner.finalize())
        return outer.finalize()
    }
}
