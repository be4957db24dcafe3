// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import CZlib

/// Deflates the input as zlib does, and inflates it exactly when zlib does, to the same bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDeflate(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count <= 65_000 else { return 0 }
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))

    var stream = [UInt8](repeating: 0, count: Int(compressBound(uLong(count))))
    var streamCount = uLong(stream.count)
    let status = unsafe compress2(&stream, &streamCount, input, uLong(count), 6)
    precondition(status == Z_OK, "zlib refuses to compress")
    stream.removeLast(stream.count - Int(streamCount))
    precondition((try? Zlib.deflate(input)) == stream, "the stream is not that of zlib")
    precondition((try? Zlib.inflate(stream)) == input, "the stream does not come back")

    var bytes = [UInt8](repeating: 0, count: 65_536)
    var bytesCount = uLong(bytes.count)
    var used = uLong(count)
    let accepted = unsafe uncompress2(&bytes, &bytesCount, input, &used) == Z_OK && used == uLong(count)
    let expected = accepted ? Array(bytes.prefix(Int(bytesCount))) : nil
    precondition((try? Zlib.inflate(input)) == expected, "zlib reads the stream differently")
    return 0
}
