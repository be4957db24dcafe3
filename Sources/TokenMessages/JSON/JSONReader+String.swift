// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension JSONReader {
    /// Reads a string whose opening quote is the current byte.
    mutating func string() throws(JSONError) -> String {
        let start = index + 1
        var end = start
        var union: UInt8 = 0
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            union |= byte
            end += 1
        }
        guard end < bytes.count else { throw error("a string without a closing quote") }
        index = end
        switch bytes[end] {
        case UInt8(ascii: "\""):
            let text = try text(bytes[start..<end], isASCII: union < 0x80, from: start)
            index += 1
            return text
        case UInt8(ascii: "\\"): return try escapedString(from: start)
        default: throw error("a control character inside a string")
        }
    }

    private func text(_ slice: ArraySlice<UInt8>, isASCII: Bool, from start: Int) throws(JSONError) -> String {
        if isASCII { return String(decoding: slice, as: UTF8.self) }
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw JSONError(reason: "a string that is not UTF-8", offset: start)
        }
        return text
    }

    /// Goes on with a string whose first escape is at the current byte.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return try text(unescaped[...], isASCII: false, from: start)
            case UInt8(ascii: "\\"):
                try unescape(into: &unescaped)
            case 0..<0x20:
                throw error("a control character inside a string")
            default:
                unescaped.append(byte)
                index += 1
            }
        }
        index = start - 1
        throw error("a string without a closing quote")
    }

    private mutating func unescape(into text: inout [UInt8]) throws(JSONError) {
        index += 1
        let byte: UInt8
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte = current
        case UInt8(ascii: "b"): byte = 0x08
        case UInt8(ascii: "f"): byte = 0x0C
        case UInt8(ascii: "n"): byte = 0x0A
        case UInt8(ascii: "r"): byte = 0x0D
        case UInt8(ascii: "t"): byte = 0x09
        case UInt8(ascii: "u"):
            index += 1
            text.append(contentsOf: String(Character(try escapedScalar())).utf8)
            return
        default: throw error("a backslash that begins no escape of JSON")
        }
        text.append(byte)
        index += 1
    }

    /// Reads the digits of a `\u` escape, and those of the second one of a surrogate pair.
    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        let start = index
        let unit = try hexDigits()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if unit < 0xDC00, current == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "u")
        {
            index += 2
            let low = try hexDigits()
            if (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
            {
                return scalar
            }
        }
        index = start
        throw error("half a surrogate pair in a \\u escape")
    }

    private mutating func hexDigits() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(current)).hexDigitValue, current < 0x80 else {
                throw error("a \\u escape without four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }
}
