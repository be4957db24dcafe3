// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The numbers of the deflate format (RFC 1951, 3.2.5 to 3.2.7).
enum DeflateFormat {
    /// The symbol that ends a block.
    static let endOfBlock = 256
    /// The symbol of the shortest lengths; those of longer ones follow.
    static let firstLength = 257
    /// How many literal and length symbols there are.
    static let literals = 286
    /// How many distance symbols there are.
    static let distances = 30

    /// The order in which the lengths of the code-length codes are sent.
    static let codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The extra bits of a length code, 0 to 28 for the symbols 257 to 285.
    static func lengthExtraBits(_ code: Int) -> Int {
        code < 8 || code == 28 ? 0 : (code &- 4) &>> 2
    }

    /// The shortest length of a length code.
    static func lengthBase(_ code: Int) -> Int {
        if code < 8 { return 3 &+ code }
        if code == 28 { return 258 }
        return 3 &+ (4 &+ code & 3) &<< lengthExtraBits(code)
    }

    /// The code of a length, 3 to 258.
    static func lengthCode(_ length: Int) -> Int {
        if length == 258 { return 28 }
        let offset = length &- 3
        if offset < 8 { return offset }
        let log = Int.bitWidth &- 1 &- offset.leadingZeroBitCount
        return 4 &* (log &- 1) &+ (offset &>> (log &- 2)) & 3
    }

    /// The extra bits of a distance code, 0 to 29.
    static func distanceExtraBits(_ code: Int) -> Int {
        code < 4 ? 0 : (code &- 2) &>> 1
    }

    /// The shortest distance of a distance code.
    static func distanceBase(_ code: Int) -> Int {
        code < 4 ? 1 &+ code : 1 &+ (2 &+ code & 1) &<< distanceExtraBits(code)
    }

    /// The code of a distance, 1 to 32,768.
    static func distanceCode(_ distance: Int) -> Int {
        let offset = distance &- 1
        if offset < 4 { return offset }
        let log = Int.bitWidth &- 1 &- offset.leadingZeroBitCount
        return 2 &* log &+ (offset &>> (log &- 1)) & 1
    }

    /// The length of a symbol's fixed code in bits.
    static func fixedLength(_ symbol: Int) -> Int {
        switch symbol {
        case ..<144: 8
        case ..<256: 9
        case ..<280: 7
        default: 8
        }
    }

    /// A symbol's fixed code, the first bit to be sent lowest.
    static func fixedCode(_ symbol: Int) -> UInt16 {
        let code: Int
        switch symbol {
        case ..<144: code = 0x30 &+ symbol
        case ..<256: code = 0x190 &+ symbol &- 144
        case ..<280: code = symbol &- 256
        default: code = 0xc0 &+ symbol &- 280
        }
        return reversed(code, fixedLength(symbol))
    }

    /// The lowest `count` bits of `code` in the opposite order, 1 to 16.
    static func reversed(_ code: Int, _ count: Int) -> UInt16 {
        var bits = UInt16(truncatingIfNeeded: code)
        bits = bits &>> 8 | bits &<< 8
        bits = bits &>> 4 & 0x0f0f | (bits & 0x0f0f) &<< 4
        bits = bits &>> 2 & 0x3333 | (bits & 0x3333) &<< 2
        bits = bits &>> 1 & 0x5555 | (bits & 0x5555) &<< 1
        return bits &>> UInt16(truncatingIfNeeded: 16 &- count)
    }
}
