// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension JSONReader {
    /// Reads a number whose first byte is current, exactly: no number passes through floating point.
    mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        let isNegative = current == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let whole = index
        skipDigits()
        let wholeEnd = index
        guard wholeEnd > whole else { throw error("no digit after a minus sign") }
        guard bytes[whole] != UInt8(ascii: "0") || wholeEnd == whole + 1 else {
            index = start
            throw error("a number with a leading zero")
        }
        let marker = current
        if marker != UInt8(ascii: "."), marker | 0x20 != UInt8(ascii: "e"), wholeEnd - whole <= 18 {
            return .integer(shortInteger(whole..<wholeEnd, isNegative: isNegative))
        }
        var fraction = index..<index
        if marker == UInt8(ascii: ".") {
            index += 1
            let first = index
            skipDigits()
            guard index > first else { throw error("no digit after the point of a number") }
            fraction = first..<index
        }
        let exponent = current | 0x20 == UInt8(ascii: "e") ? try exponent() : 0
        let value = DecimalNumber(
            isNegative: isNegative, digits: Array(bytes[whole..<wholeEnd]) + bytes[fraction],
            exponent: exponent - fraction.count)
        if let integer = value.integer { return .integer(integer) }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        return .number(JSONNumber(text: text, isWhole: value.isWhole))
    }

    private mutating func skipDigits() {
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
    }

    /// The value of at most 18 digits, which 64 bits always hold.
    private func shortInteger(_ digits: Range<Int>, isNegative: Bool) -> Int64 {
        var value: Int64 = 0
        for position in digits { value = value &* 10 &+ Int64(bytes[position] &- UInt8(ascii: "0")) }
        return isNegative ? -value : value
    }

    /// Reads an exponent, and stops counting once it is beyond ``largestExponent``.
    private mutating func exponent() throws(JSONError) -> Int {
        index += 1
        let isNegative = current == UInt8(ascii: "-")
        if isNegative || current == UInt8(ascii: "+") { index += 1 }
        let first = index
        skipDigits()
        guard index > first else { throw error("no digit in the exponent of a number") }
        var value = 0
        for position in first..<index where value < Self.largestExponent {
            value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
        }
        return isNegative ? -value : value
    }

    /// More than any body has digits, so that no digits before it make up for it.
    private static let largestExponent = 1 << 40
}

/// A decimal number as digits and a power of ten.
private struct DecimalNumber {
    let isNegative: Bool
    let isWhole: Bool
    let integer: Int64?

    init(isNegative: Bool, digits: [UInt8], exponent: Int) {
        self.isNegative = isNegative
        let zero = UInt8(ascii: "0")
        guard let last = digits.lastIndex(where: { $0 != zero }), let first = digits.firstIndex(where: { $0 != zero })
        else {
            isWhole = true
            integer = 0
            return
        }
        let scale = exponent + (digits.count - 1 - last)
        isWhole = scale >= 0
        guard isWhole, last - first + 1 + scale <= 19 else {
            integer = nil
            return
        }
        var magnitude: UInt64 = 0
        for digit in digits[first...last] { magnitude = magnitude * 10 + UInt64(digit - zero) }
        for _ in 0..<scale { magnitude *= 10 }
        integer = isNegative ? Int64(exactly: -Int128(magnitude)) : Int64(exactly: magnitude)
    }
}
