// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Packs a token: little-endian integers, and strings and maps with a 16-bit count before them.
struct PayloadWriter {
    private let bytes: Bytes
    /// Where the next field goes.
    ///
    /// It runs on when a string does not fit, so that it tells the size in any case.
    private(set) var position: Int

    /// Packs into `bytes` from `position` on.
    init(_ bytes: Bytes, at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    @inline(__always)
    mutating func write(_ value: UInt16) {
        bytes.store(value, at: position)
        position &+= 2
    }

    @inline(__always)
    mutating func write(_ value: UInt32) {
        bytes.store(value, at: position)
        position &+= 4
    }

    /// Packs the 32 characters with their count.
    mutating func write(_ characters: HexText) {
        write(UInt16(HexText.count))
        append(characters)
    }

    /// Adds the 32 characters without a count.
    mutating func append(_ characters: HexText) {
        for index in 0..<4 {
            bytes.store(characters.words[index], at: position &+ 8 &* index)
        }
        position &+= HexText.count
    }

    /// Adds bytes without a count.
    mutating func append(_ span: Span<UInt8>) {
        if position &+ span.count <= Deflater.maximumCount { bytes.store(span, at: position) }
        position &+= span.count
    }

    mutating func write(_ text: String, field: StaticString) throws(TokenError) {
        let span = text.utf8.span
        write(try Self.count(span.count, field: field))
        append(span)
    }

    mutating func write(_ privileges: Privileges) throws(TokenError) {
        write(try Self.count(privileges.count, field: "privilege map"))
        privileges.forEach { id, seconds in
            write(id)
            write(seconds)
        }
    }

    /// The 16-bit count that stands before `field`.
    static func count(_ count: Int, field: StaticString) throws(TokenError) -> UInt16 {
        guard let count16 = UInt16(exactly: count) else {
            throw .tooLong(field: field.description, count: count)
        }
        return count16
    }
}
