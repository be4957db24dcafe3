// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CZlib

/// The system's zlib.
enum ReferenceZlib {
    /// What zlib makes of `bytes` at level 6.
    static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        var stream = [UInt8](repeating: 0, count: Int(compressBound(uLong(bytes.count))))
        var count = uLong(stream.count)
        let status = unsafe compress2(&stream, &count, bytes, uLong(bytes.count), 6)
        precondition(status == Z_OK, "zlib refuses to compress: \(status)")
        return Array(stream.prefix(Int(count)))
    }

    /// What zlib makes of a whole stream, if it is valid and inflates to at most 64 KiB.
    static func inflate(_ stream: [UInt8]) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = uLong(bytes.count)
        var used = uLong(stream.count)
        let status = unsafe uncompress2(&bytes, &count, stream, &used)
        guard status == Z_OK, used == uLong(stream.count) else { return nil }
        return Array(bytes.prefix(Int(count)))
    }
}
