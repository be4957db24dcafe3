// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The numbers of the deflate format (RFC 1951, 3.2.5 and 3.2.7).
enum Deflate {
    /// The order in which the lengths of the code-length codes are sent.
    static let codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The extra bits of a length code, 0 to 28 for the symbols 257 to 285.
    static func lengthExtraBits(_ code: Int) -> Int {
        code < 8 || code == 28 ? 0 : (code - 4) / 4
    }

    /// The shortest length of a length code.
    static func lengthBase(_ code: Int) -> Int {
        if code < 8 { return 3 + code }
        if code == 28 { return 258 }
        return 3 + (4 + code % 4) << lengthExtraBits(code)
    }

    /// The extra bits of a distance code, 0 to 29.
    static func distanceExtraBits(_ code: Int) -> Int {
        code < 4 ? 0 : (code - 2) / 2
    }

    /// The shortest distance of a distance code.
    static func distanceBase(_ code: Int) -> Int {
        code < 4 ? 1 + code : 1 + (2 + code % 2) << distanceExtraBits(code)
    }
}
