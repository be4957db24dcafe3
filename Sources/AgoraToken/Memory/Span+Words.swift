// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Span<UInt8> {
    /// The big-endian integer at `position`, which must be among the bytes with all of its own.
    @inlinable @inline(__always)
    package func word<Word: FixedWidthInteger & BitwiseCopyable>(at position: Int, as word: Word.Type) -> Word {
        Word(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: position, as: Word.self))
    }
}
