// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// HMAC-SHA256 (RFC 2104) with the keys that tokens use: 32 bytes, or 4 that zeros follow.
enum HMAC {
    private static let inner: UInt32 = 0x3636_3636
    private static let outer: UInt32 = 0x5c5c_5c5c

    /// The code of a message of 32 bytes.
    static func code(key: SHA256State, message: SHA256State) -> SHA256State {
        var state = SHA256State()
        state.absorb(.key(key, pad: inner))
        state.absorb(.last(message))
        return finish(key, state)
    }

    /// The code of the bytes from `start` up to `end`; the padding overwrites what follows them.
    static func code(key: SHA256State, message bytes: Bytes, from start: Int, to end: Int) -> SHA256State {
        var state = SHA256State()
        state.absorb(.key(key, pad: inner))
        let bits = UInt64(64 &+ end &- start) &* 8
        bytes.store(0x80 as UInt64, at: end)
        for step in 1...8 { bytes.store(0 as UInt64, at: end &+ 8 &* step) }
        let length = (end &- start &+ 9 &+ 63) & ~63
        bytes.store(bits.byteSwapped, at: start &+ length &- 8)
        var position = start
        while position < start &+ length {
            state.absorb(SHA256Block(bytes, at: position))
            position &+= 64
        }
        return finish(key, state)
    }

    private static func finish(_ key: SHA256State, _ digest: SHA256State) -> SHA256State {
        var state = SHA256State()
        state.absorb(.key(key, pad: outer))
        state.absorb(.last(digest))
        return state
    }
}
